-- Ids of log rows have the last bits of this number. A session that kept some for later came with old ones when others had gone once around,
-- and met the same id in the same millisecond.
alter sequence log_sequence cache 1;
