-- What the devices of a container support is read from the devices.
alter table "container" drop column "mibs";
