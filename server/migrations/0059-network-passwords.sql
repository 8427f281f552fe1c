alter table "user_account" add column "network_password" bytea;
