package corfu.objects.record;

import java.nio.ByteBuffer;

/**
 * A piece of a state.
 *
 * @param checkpoint of which one
 * @param bytes those that follow the ones of the part before
 */
public record CheckpointPart(CallId checkpoint, ByteBuffer bytes) implements ObjectRecord {

  /** For people: how large it is. */
  @Override
  public String toString() {
    return "a part of a checkpoint with %d bytes".formatted(bytes.remaining());
  }
}
