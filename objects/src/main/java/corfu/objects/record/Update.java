package corfu.objects.record;

import corfu.protocol.StreamId;
import java.nio.ByteBuffer;

/**
 * One change of an object.
 *
 * @param object its stream
 * @param operation its name; see {@link corfu.objects.type.Operation#name}
 * @param serializer who has written the arguments; see {@link corfu.objects.serial.Serializer#id}
 * @param arguments as it has written them
 */
public record Update(StreamId object, String operation, int serializer, ByteBuffer arguments) {

  /** From position 0 to its limit. */
  @Override
  public ByteBuffer arguments() {
    return arguments.duplicate();
  }

  /** For people: what is called, and how much it is given. */
  @Override
  public String toString() {
    return "%s of object %s with %d bytes of arguments"
        .formatted(operation, object, arguments.remaining());
  }
}
