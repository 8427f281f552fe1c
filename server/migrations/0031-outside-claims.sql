-- The key of a write that contacts an outside system is claimed before the first packet. Set while such a write runs; past: its node died.
alter table idempotency_key add column claimed_until timestamptz;
