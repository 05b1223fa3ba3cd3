"""The pages that people look at; they know the MQTT and HTTP contracts only."""
