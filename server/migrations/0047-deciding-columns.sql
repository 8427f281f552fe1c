-- Which configured rows and columns raise the policy generation, as the declarations name them.

-- An uplink that an administrator sets or clears decides; one that a poll learns reaches decisions with the port's row in the change feed.
create function note_uplink_by_hand() returns trigger language plpgsql as $$
begin
  -- With its port it leaves for good, and nothing is left to decide.
  if tg_op = 'INSERT' or exists (select from port p where p.id = old.port_id) then
    insert into policy_change default values on conflict do nothing;
  end if;
  return null;
end $$;

create trigger port_uplink_set_by_hand after insert on port_uplink
  for each row when (new.kind = 10) execute function note_uplink_by_hand();
create trigger port_uplink_changed_by_hand after update of kind on port_uplink
  for each row when (old.kind <> new.kind and (old.kind = 10 or new.kind = 10)) execute function note_uplink_by_hand();
create trigger port_uplink_cleared_by_hand after delete on port_uplink
  for each row when (old.kind = 10) execute function note_uplink_by_hand();

CREATE TRIGGER ssid_config_deciding_columns AFTER UPDATE OF inherit ON ssid_config FOR EACH ROW WHEN ((old.inherit IS DISTINCT FROM new.inherit)) EXECUTE FUNCTION note_policy_change();

CREATE TRIGGER ssid_config_deciding_rows AFTER INSERT OR DELETE ON ssid_config FOR EACH ROW EXECUTE FUNCTION note_policy_change();

CREATE TRIGGER container_deciding_columns AFTER UPDATE OF parent_id ON container FOR EACH ROW WHEN ((old.parent_id IS DISTINCT FROM new.parent_id)) EXECUTE FUNCTION note_policy_change();

CREATE TRIGGER container_deciding_rows AFTER INSERT OR DELETE ON container FOR EACH ROW EXECUTE FUNCTION note_policy_change();

CREATE TRIGGER network_device_deciding_columns AFTER UPDATE OF container_id, device_type_override_id, managed, send_default_vlan ON network_device FOR EACH ROW WHEN (((old.container_id IS DISTINCT FROM new.container_id) OR (old.device_type_override_id IS DISTINCT FROM new.device_type_override_id) OR (old.managed IS DISTINCT FROM new.managed) OR (old.send_default_vlan IS DISTINCT FROM new.send_default_vlan))) EXECUTE FUNCTION note_policy_change();

CREATE TRIGGER network_device_deciding_rows AFTER INSERT OR DELETE ON network_device FOR EACH ROW EXECUTE FUNCTION note_policy_change();

CREATE TRIGGER port_deciding_columns AFTER UPDATE OF default_vlan ON port FOR EACH ROW WHEN ((old.default_vlan IS DISTINCT FROM new.default_vlan)) EXECUTE FUNCTION note_policy_change();

CREATE TRIGGER role_deciding_columns AFTER UPDATE OF rank, group_ids ON role FOR EACH ROW WHEN (((old.rank IS DISTINCT FROM new.rank) OR (old.group_ids IS DISTINCT FROM new.group_ids))) EXECUTE FUNCTION note_policy_change();

CREATE TRIGGER role_deciding_rows AFTER INSERT OR DELETE ON role FOR EACH ROW EXECUTE FUNCTION note_policy_change();

CREATE TRIGGER group_deciding_columns AFTER UPDATE OF tag, enforcement ON "group" FOR EACH ROW WHEN (((old.tag IS DISTINCT FROM new.tag) OR (old.enforcement IS DISTINCT FROM new.enforcement))) EXECUTE FUNCTION note_policy_change();

CREATE TRIGGER group_deciding_rows AFTER INSERT OR DELETE ON "group" FOR EACH ROW EXECUTE FUNCTION note_policy_change();
