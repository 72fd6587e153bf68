package corfu.objects.record;

/** What an entry of an object's stream, or of its checkpoints' stream, says. */
public sealed interface ObjectRecord
    permits CheckpointEnd, CheckpointMark, CheckpointPart, Updates {}
