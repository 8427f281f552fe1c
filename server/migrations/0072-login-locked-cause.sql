-- Rejects of logins that are locked after too many wrong passwords have a cause of their own.
alter table radius_response
  drop constraint radius_response_cause_known,
  add constraint radius_response_cause_known check ("cause" in ('NONE', 'BAD_PASSWORD', 'UNKNOWN_USER', 'ACCOUNT_DISABLED', 'ACCOUNT_EXPIRED', 'OUTSIDE_SCHEDULE', 'HOST_DISABLED', 'HOST_LIMIT', 'NO_POLICY', 'CERT_EXPIRED', 'CERT_UNTRUSTED', 'CERT_REVOKED', 'CERT_NAME', 'EAP_TYPE_REFUSED', 'EAP_TIMEOUT', 'NAS_UNKNOWN', 'BAD_SECRET', 'DIRECTORY_UNAVAILABLE', 'DECISION_UNAVAILABLE', 'LOGIN_LOCKED', 'OTHER'));
