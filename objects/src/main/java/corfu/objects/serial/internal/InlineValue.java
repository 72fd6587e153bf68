package corfu.objects.serial.internal;

import corfu.objects.serial.ContentDigest;
import corfu.objects.serial.LocatedValue;
import corfu.objects.serial.Serializer;
import corfu.objects.serial.ValueOutput;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A value that was read from bytes of which nobody knows where they are: of a transaction that is
 * not in the log yet, or of a message. So it has them itself.
 */
final class InlineValue<V> extends LocatedValue<V> implements LocatedValue.Source {

  private final ByteBuffer bytes;
  private final Serializer serializer;

  private InlineValue(ContentDigest content, ByteBuffer bytes, Serializer serializer) {
    super(content);
    this.bytes = bytes;
    this.serializer = serializer;
  }

  /** With a copy of the bytes. */
  static InlineValue<Object> of(ContentDigest content, ByteBuffer bytes, Serializer serializer) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(bytes.position(), copy);
    return new InlineValue<>(content, ByteBuffer.wrap(copy).asReadOnlyBuffer(), serializer);
  }

  @Override
  protected Source source() {
    return this;
  }

  @Override
  public List<ByteBuffer> bytes(List<LocatedValue<?>> values) {
    return values.stream().map(value -> ((InlineValue<?>) value).bytes.duplicate()).toList();
  }

  @Override
  public Serializer serializer() {
    return serializer;
  }

  @Override
  protected void writePlace(ValueOutput out) {
    throw new IllegalStateException("it is nowhere but here, so that it is written itself");
  }
}
