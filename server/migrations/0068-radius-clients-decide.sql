-- A device that becomes a RADIUS client, or no longer is one, has its connections decided in another way.
drop trigger network_device_deciding_columns on "network_device";

CREATE TRIGGER network_device_deciding_columns AFTER UPDATE OF container_id, device_type_override_id, managed, send_default_vlan, radius_enabled ON network_device FOR EACH ROW WHEN (((old.container_id IS DISTINCT FROM new.container_id) OR (old.device_type_override_id IS DISTINCT FROM new.device_type_override_id) OR (old.managed IS DISTINCT FROM new.managed) OR (old.send_default_vlan IS DISTINCT FROM new.send_default_vlan) OR (old.radius_enabled IS DISTINCT FROM new.radius_enabled))) EXECUTE FUNCTION note_policy_change();
