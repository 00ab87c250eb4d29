"""Several equal nodes that share tables: one owner a table, reached by messages over NATS."""
