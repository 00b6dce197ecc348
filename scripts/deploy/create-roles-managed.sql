-- Creates the two roles of the service on a managed server, whose administrator is no superuser. The administrator has CREATEROLE
-- and owns the empty database that the provider's console created, and runs this file in that database, with psql 14 or newer:
--   OWNER_PASSWORD=… SERVICE_PASSWORD=… psql "$ADMIN_URL" --file scripts/deploy/create-roles-managed.sql
-- `commerce` owns the tables and migrates them; `commerce_service` owns nothing, so the service cannot change its audit log. In a
-- further database, such as one to test a restore, the file only adds the privileges of the roles.
\set ON_ERROR_STOP on
\getenv owner_password OWNER_PASSWORD
\getenv service_password SERVICE_PASSWORD
begin;
select not exists (select from pg_roles where rolname = 'commerce') as is_first \gset
\if :is_first
create role commerce login password :'owner_password';
create role commerce_service login password :'service_password';
\endif
-- PostgreSQL lets every role connect to a new database.
revoke connect on database :"DBNAME" from public;
-- The migrations create the schema of the job queue and two extensions that PostgreSQL trusts: pg_trgm and btree_gin.
grant connect, create on database :"DBNAME" to commerce;
grant connect on database :"DBNAME" to commerce_service;
grant usage, create on schema public to commerce;
commit;
