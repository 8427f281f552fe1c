-- What was reported of a certificate is bookkeeping of the service and no part of its record.
create table "certificate_report" (
  "certificate_id" bigint primary key references "certificate_target" ("id") on delete cascade,
  "expiry_reported" integer,
  "crl_reported" boolean not null default false
);
insert into "certificate_report" ("certificate_id", "expiry_reported", "crl_reported")
select c.id, c.expiry_reported, c.crl_reported from "certificate_target" c
where c.expiry_reported is not null or c.crl_reported;
alter table "certificate_target" drop column "expiry_reported", drop column "crl_reported";
