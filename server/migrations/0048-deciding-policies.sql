-- Which rows and columns of policies, their configurations and logical networks raise the policy generation.
CREATE TRIGGER access_configuration_deciding_columns AFTER UPDATE OF type, logical_network_id, direct_configuration, firewall_tag_ids, session_timeout_minutes ON access_configuration FOR EACH ROW WHEN (((old.type IS DISTINCT FROM new.type) OR (old.logical_network_id IS DISTINCT FROM new.logical_network_id) OR (old.direct_configuration IS DISTINCT FROM new.direct_configuration) OR (old.firewall_tag_ids IS DISTINCT FROM new.firewall_tag_ids) OR (old.session_timeout_minutes IS DISTINCT FROM new.session_timeout_minutes))) EXECUTE FUNCTION note_policy_change();

CREATE TRIGGER access_configuration_deciding_rows AFTER INSERT OR DELETE ON access_configuration FOR EACH ROW EXECUTE FUNCTION note_policy_change();

CREATE TRIGGER logical_network_deciding_columns AFTER UPDATE OF name, access_state, default_value ON logical_network FOR EACH ROW WHEN (((old.name IS DISTINCT FROM new.name) OR (old.access_state IS DISTINCT FROM new.access_state) OR (old.default_value IS DISTINCT FROM new.default_value))) EXECUTE FUNCTION note_policy_change();

CREATE TRIGGER logical_network_deciding_rows AFTER INSERT OR DELETE ON logical_network FOR EACH ROW EXECUTE FUNCTION note_policy_change();

CREATE TRIGGER logical_network_configuration_deciding_columns AFTER UPDATE OF logical_network_id, element_type, element_id, access_enforcement, access_type, access_value, cli_apply, cli_undo, firewall_tag_ids ON logical_network_configuration FOR EACH ROW WHEN (((old.logical_network_id IS DISTINCT FROM new.logical_network_id) OR (old.element_type IS DISTINCT FROM new.element_type) OR (old.element_id IS DISTINCT FROM new.element_id) OR (old.access_enforcement IS DISTINCT FROM new.access_enforcement) OR (old.access_type IS DISTINCT FROM new.access_type) OR (old.access_value IS DISTINCT FROM new.access_value) OR (old.cli_apply IS DISTINCT FROM new.cli_apply) OR (old.cli_undo IS DISTINCT FROM new.cli_undo) OR (old.firewall_tag_ids IS DISTINCT FROM new.firewall_tag_ids))) EXECUTE FUNCTION note_policy_change();

CREATE TRIGGER logical_network_configuration_deciding_rows AFTER INSERT OR DELETE ON logical_network_configuration FOR EACH ROW EXECUTE FUNCTION note_policy_change();

CREATE TRIGGER access_policy_deciding_columns AFTER UPDATE OF name, rank, enabled, criteria, access_configuration_id ON access_policy FOR EACH ROW WHEN (((old.name IS DISTINCT FROM new.name) OR (old.rank IS DISTINCT FROM new.rank) OR (old.enabled IS DISTINCT FROM new.enabled) OR (old.criteria IS DISTINCT FROM new.criteria) OR (old.access_configuration_id IS DISTINCT FROM new.access_configuration_id))) EXECUTE FUNCTION note_policy_change();

CREATE TRIGGER access_policy_deciding_rows AFTER INSERT OR DELETE ON access_policy FOR EACH ROW EXECUTE FUNCTION note_policy_change();

CREATE TRIGGER authentication_configuration_deciding_columns AFTER UPDATE OF enable_authentication, time_in_production_before_authentication ON authentication_configuration FOR EACH ROW WHEN (((old.enable_authentication IS DISTINCT FROM new.enable_authentication) OR (old.time_in_production_before_authentication IS DISTINCT FROM new.time_in_production_before_authentication))) EXECUTE FUNCTION note_policy_change();

CREATE TRIGGER authentication_configuration_deciding_rows AFTER INSERT OR DELETE ON authentication_configuration FOR EACH ROW EXECUTE FUNCTION note_policy_change();

CREATE TRIGGER authentication_policy_deciding_columns AFTER UPDATE OF name, rank, enabled, criteria, authentication_configuration_id ON authentication_policy FOR EACH ROW WHEN (((old.name IS DISTINCT FROM new.name) OR (old.rank IS DISTINCT FROM new.rank) OR (old.enabled IS DISTINCT FROM new.enabled) OR (old.criteria IS DISTINCT FROM new.criteria) OR (old.authentication_configuration_id IS DISTINCT FROM new.authentication_configuration_id))) EXECUTE FUNCTION note_policy_change();

CREATE TRIGGER authentication_policy_deciding_rows AFTER INSERT OR DELETE ON authentication_policy FOR EACH ROW EXECUTE FUNCTION note_policy_change();

CREATE TRIGGER role_mapping_deciding_columns AFTER UPDATE OF name, rank, role_id, "where", applies_to, access_configuration_id, direct_configuration ON role_mapping FOR EACH ROW WHEN (((old.name IS DISTINCT FROM new.name) OR (old.rank IS DISTINCT FROM new.rank) OR (old.role_id IS DISTINCT FROM new.role_id) OR (old."where" IS DISTINCT FROM new."where") OR (old.applies_to IS DISTINCT FROM new.applies_to) OR (old.access_configuration_id IS DISTINCT FROM new.access_configuration_id) OR (old.direct_configuration IS DISTINCT FROM new.direct_configuration))) EXECUTE FUNCTION note_policy_change();

CREATE TRIGGER role_mapping_deciding_rows AFTER INSERT OR DELETE ON role_mapping FOR EACH ROW EXECUTE FUNCTION note_policy_change();
