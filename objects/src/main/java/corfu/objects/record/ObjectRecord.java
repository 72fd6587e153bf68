package corfu.objects.record;

/** What an entry says of an object's stream, of its checkpoints', or of the catalogue. */
public sealed interface ObjectRecord
    permits Catalogued, CheckpointEnd, CheckpointMark, CheckpointPart, Updates {}
