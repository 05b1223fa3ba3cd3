"""The running monitor of one table: pipeline, journal, MQTT, broker."""
