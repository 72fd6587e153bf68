package corfu.objects.record;

/**
 * The content of a log entry: of an object's stream, of its checkpoints' streams, or of the
 * catalogue's stream.
 */
public sealed interface ObjectRecord
    permits Catalogued, CheckpointEnd, CheckpointMark, CheckpointPart, Updates {}
