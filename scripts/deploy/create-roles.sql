-- Creates the database of the service and its two roles: `commerce` owns the tables and migrates them; `commerce_service` owns
-- nothing, so the service cannot change its audit log. A superuser runs this file once, with psql 14 or newer:
--   sudo OWNER_PASSWORD=… SERVICE_PASSWORD=… -u postgres psql --dbname postgres --file scripts/deploy/create-roles.sql
\set ON_ERROR_STOP on
\getenv owner_password OWNER_PASSWORD
\getenv service_password SERVICE_PASSWORD
create role commerce login password :'owner_password';
create role commerce_service login password :'service_password';
create database commerce owner commerce;
-- PostgreSQL lets every role connect to a new database.
revoke connect on database commerce from public;
grant connect on database commerce to commerce_service;
