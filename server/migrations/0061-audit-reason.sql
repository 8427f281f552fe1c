alter table "audit_record" add column "reason" text;
