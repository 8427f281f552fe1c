drop index container_landscape_name_uq;

CREATE UNIQUE INDEX container_name_landscape_uq ON container USING btree (lower(name), landscape);

drop index network_device_landscape_ip_address_uq;

drop index network_device_landscape_name_uq;

CREATE UNIQUE INDEX network_device_ip_address_landscape_uq ON network_device USING btree (ip_address, landscape);

CREATE UNIQUE INDEX network_device_name_landscape_uq ON network_device USING btree (lower(name), landscape);
