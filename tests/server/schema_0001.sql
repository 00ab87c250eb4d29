BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE events (
	"table" VARCHAR(16) NOT NULL, 
	place INTEGER NOT NULL, 
	request VARCHAR(80) NOT NULL, 
	body TEXT NOT NULL, 
	PRIMARY KEY ("table", place), 
	FOREIGN KEY("table") REFERENCES tables (id)
);
INSERT INTO "events" VALUES('t1',0,'','{"event":"opened","host":"a1","game":"stupide_vautour","seats":2,"options":{},"is_public":false,"move_seconds":0}');
INSERT INTO "events" VALUES('t1',1,'a1 1','{"event":"said","name":"Ann","avatar":3,"text":"hello"}');
CREATE TABLE players (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(40) NOT NULL, 
	avatar INTEGER NOT NULL, 
	created BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "players" VALUES('a1','Ann',3,1000);
CREATE TABLE secrets (
	name VARCHAR(32) NOT NULL, 
	value VARCHAR(128) NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "secrets" VALUES('tokens','sesame');
CREATE TABLE tables (
	id VARCHAR(16) NOT NULL, 
	created BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "tables" VALUES('t1',2000);
COMMIT;
