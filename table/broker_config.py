"""What the two kinds of broker are told in their configuration files."""

from __future__ import annotations

# Over WebSocket any page that a browser on this machine has open can come in: without a name it may at most look.
MOSQUITTO = """\
persistence false
max_queued_messages 0
log_dest stderr
log_type error
log_type warning
per_listener_settings true

listener {tcp_port} {host}
allow_anonymous {anonymous_tcp}
{logins}
{tls}

listener {ws_port} {ws_host}
protocol websockets
allow_anonymous {guests}
acl_file {folder}/guests.acl
{passwords}
{tls}
"""

IOTCORE = """\
id = 0
[router]
id = 0
max_connections = 1000
max_outgoing_packet_count = 200
max_segment_size = 104857600
max_segment_count = 10
[v4.1]
name = "tcp"
listen = "{host}:{tcp_port}"
next_connection_delay_ms = 1
[v4.1.connections]
connection_timeout_ms = 60000
max_payload_size = 1048576
max_inflight_count = 100
dynamic_filters = true
[ws.1]
name = "ws"
listen = "{host}:{ws_port}"
next_connection_delay_ms = 1
[ws.1.connections]
connection_timeout_ms = 60000
max_payload_size = 1048576
max_inflight_count = 100
dynamic_filters = true
"""
