package corfu.objects.record;

/**
 * Stands in an object's stream where a checkpoint is of: whoever plays the stream has its state
 * there, and can compare it with the checkpoint's.
 *
 * @param checkpoint which one
 * @param stateName what can load it; see {@link corfu.objects.type.ObjectType#stateName}
 * @param wallTimeMillis when, as its maker's machine believed; for people only
 */
public record CheckpointMark(CallId checkpoint, String stateName, long wallTimeMillis)
    implements ObjectRecord {}
