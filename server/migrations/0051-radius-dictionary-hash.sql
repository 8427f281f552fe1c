-- Nothing reads them.
alter table radius_dictionary drop column attributes, drop column loaded_at;
