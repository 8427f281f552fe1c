-- What polls and traps write of ports and devices is not indexed: with room on the page an update stays there, and touches no index.
-- Devices are few and wide, and each that tells something is written every second.
alter table "port" set (fillfactor = 85);
alter table "network_device" set (fillfactor = 50);

-- An address that is seen again only gets another time, so the time is no part of the index: of the few addresses that an adapter had,
-- the newest is soon found.
drop index ip_mac_mac_ix;
create index ip_mac_mac_ix on ip_mac (mac);
