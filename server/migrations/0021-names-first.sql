-- A record is looked for by its name or address, not by the cell: that stands first.
drop index container_landscape_name_uq;
create unique index container_name_landscape_uq on "container" (lower("name"), "landscape");

drop index network_device_landscape_ip_address_uq;
drop index network_device_landscape_name_uq;
create unique index network_device_ip_address_landscape_uq on "network_device" ("ip_address", "landscape");
create unique index network_device_name_landscape_uq on "network_device" (lower("name"), "landscape");
