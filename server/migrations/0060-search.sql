CREATE INDEX adapter_physical_address_end_ix ON adapter USING btree ("right"(physical_address, 5));
