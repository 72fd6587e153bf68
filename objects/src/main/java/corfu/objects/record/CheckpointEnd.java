package corfu.objects.record;

import corfu.objects.serial.StateDigest;
import java.util.Optional;

/**
 * Says that all parts of a checkpoint are in the log before it.
 *
 * @param checkpoint which one
 * @param stateName what can load it; see {@link corfu.objects.type.ObjectType#stateName}
 * @param before the state is that of this log address: all changes below are in it
 * @param resume where in the object's stream to go on: the stream address behind the last of these
 * @param firstPart where in the stream of parts its first one is
 * @param behindParts the place behind its last one; others' may be between them
 * @param parts how many there are
 * @param bytes how many are in them
 * @param wallTimeMillis when it was made, as its maker's machine believed; for people, and for
 *     policies that keep history for a time
 * @param history what of the object's history its maker keeps, for people; empty: it does not say
 * @param digest of the state, if its serializer has any
 */
public record CheckpointEnd(
    CallId checkpoint,
    String stateName,
    long before,
    long resume,
    long firstPart,
    long behindParts,
    long parts,
    long bytes,
    long wallTimeMillis,
    String history,
    Optional<StateDigest> digest)
    implements ObjectRecord {}
