CREATE INDEX network_device_physical_address_ix ON network_device USING btree (physical_address, id);

CREATE INDEX network_device_system_name_ix ON network_device USING btree (lower(system_name), id);

CREATE INDEX port_phys_addr_ix ON port USING btree (phys_addr, id);

-- What an administrator was told last: a fault that stays is told once.
alter table device_poll add column fault text not null default '';
