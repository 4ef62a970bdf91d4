"""What a room tells of itself."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

from arena_services.common.metrics import LATENCY_BUCKETS

MATCHES = Gauge("arena_room_matches", "Unfinished matches that this room owns.")
PLACES = Gauge(
    "arena_room_places", "Unfinished matches that this room may own; none while it drains."
)
SEATS = Gauge(
    "arena_room_seats",
    "Seats of these matches, by who plays them now: person or bot.",
    ["player"],
)
REQUEST_SECONDS = Histogram(
    "arena_room_request_seconds",
    "Time to answer a request within a Play stream, by kind (act, targets) and canonical code.",
    ["kind", "code"],
    buckets=LATENCY_BUCKETS,
)
VIEWERS = Gauge(
    "arena_room_viewers", "Seats and spectators attached to matches owned here.", ["kind"]
)
VIEWERS_CUT = Counter(
    "arena_room_viewers_cut_total", "Viewers cut off because they were too slow to read."
)
UPDATES = Counter("arena_room_updates_total", "Updates handed to viewers.")
FAN_OUT_SECONDS = Histogram(
    "arena_room_fan_out_seconds",
    "From an entry's acknowledgement until its update waits to be sent to every viewer.",
    buckets=(0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.25),
)
ENTRIES = Counter("arena_room_entries_total", "Entries appended to match logs, by kind.", ["kind"])
APPEND_SECONDS = Histogram(
    "arena_room_append_seconds",
    "From sending an entry to its acknowledgement.",
    buckets=(0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 10.0),
)
APPENDS_RESOLVED = Counter(
    "arena_room_appends_resolved_total",
    "Appends without a clear first answer, by what became of them: found, resent, fenced.",
    ["resolution"],
)
APPENDS_REFUSED = Counter("arena_room_appends_refused_total", "Appends that a full log refused.")
CLAIMS = Counter(
    "arena_room_claims_total", "Matches taken over, by outcome: claimed, lost.", ["outcome"]
)
FOLDED_ENTRIES = Histogram(
    "arena_room_folded_entries",
    "Entries that had to be read and folded to take a match in.",
    buckets=(1, 16, 32, 64, 96, 128, 160, 256, 512, 1024, 2048, 4096),
)
SNAPSHOTS_WRITTEN = Counter("arena_room_snapshots_written_total", "Snapshots of matches stored.")
SNAPSHOTS_UNFIT = Counter(
    "arena_room_snapshots_unfit_total", "Snapshots passed over: damaged, or not of this build."
)
SET_ASIDE = Counter(
    "arena_room_set_aside_total",
    "Matches left alone because their log does not fold with this build.",
)
UNPLAYABLE = Gauge(
    "arena_room_unplayable_matches",
    "Matches without a room, of this room's share, whose rules no room plays that is there.",
)
CLAIM_SECONDS = Histogram(
    "arena_room_claim_seconds",
    "From deciding to take a match over to serving it.",
    buckets=(0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0),
)
GIVEN_BACK_SECONDS = Counter(
    "arena_room_given_back_seconds_total",
    "Time given back to clocks because the platform kept matches waiting.",
)
ARCHIVED = Counter(
    "arena_archived_matches_total", "Finished matches archived, verified and purged from the log."
)
ARCHIVE_FAILURES = Counter(
    "arena_archive_failures_total",
    "Matches that could not be archived this time, or whose archive was unfit, by reason. Their logs are kept.",
    ["reason"],
)
ARCHIVE_BACKLOG_SECONDS = Gauge(
    "arena_archive_backlog_seconds",
    "How long the finished match that has waited longest for this room to archive it has been due.",
)
CHAT_LINES = Counter("arena_room_chat_lines_total", "Lines that people said at matches.")
CHAT_REPORTS = Counter("arena_room_chat_reports_total", "Lines that people reported.")
FORWARDED = Counter(
    "arena_room_forwarded_total", "Calls and messages sent on to the owning room.", ["method"]
)
LINKS = Gauge("arena_room_links", "Streams open to other rooms on behalf of clients.")
MAILBOX = Gauge("arena_room_mailbox", "Commands that wait in mailboxes of matches.")
MAILBOX_DEEPEST = Gauge("arena_room_mailbox_deepest", "Commands that wait in the fullest mailbox.")

# Shown as 0 before the first time: a rate needs somewhere to rise from.
for _kind in ("seat", "spectator"):
    VIEWERS.labels(_kind)
for _resolution in ("found", "resent", "fenced"):
    APPENDS_RESOLVED.labels(_resolution)
for _reason in ("ARCHIVE_DAMAGED", "ARCHIVE_FULL", "LOG_CORRUPT", "LOG_UNAVAILABLE"):
    ARCHIVE_FAILURES.labels(_reason)
for _outcome in ("claimed", "lost"):
    CLAIMS.labels(_outcome)
for _body in ("created", "claimed", "acted", "expired", "seat_changed", "voted", "closed"):
    ENTRIES.labels(_body)
