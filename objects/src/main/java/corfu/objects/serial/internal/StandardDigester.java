package corfu.objects.serial.internal;

import corfu.objects.serial.Digester;
import corfu.objects.serial.SerializationException;
import corfu.objects.serial.StateDigest;
import corfu.objects.serial.ValueInput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Digests the standard serializer's bytes, and makes no values of them. The hash of a set or map
 * without an order is a sum over its elements. An object's hash is a sum over its fields. A
 * reference to an earlier value counts like that value, however often it occurs.
 */
public final class StandardDigester implements Digester {

  private static final long PRIME = 0x9e3779b97f4a7c15L;

  /**
   * The deepest nesting: as many values inside values as may be written, and a simple value in the
   * innermost one.
   */
  private static final int DEEPEST = ValueWriter.DEEPEST + 1;

  private final Map<Long, Long> shapes = new HashMap<>();
  private long hash = 1;

  @Override
  public void add(ValueInput written) {
    int count = written.readCount(1);
    Values values = new Values(written);
    for (int i = 0; i < count; i++) {
      hash = then(hash, values.next());
    }
  }

  @Override
  public StateDigest digest() {
    return new StateDigest(hash, shapes);
  }

  private static long mix(long bits) {
    long mixed = (bits ^ bits >>> 32) * PRIME;
    return mixed ^ mixed >>> 29;
  }

  private static long then(long before, long next) {
    return mix(before * 31 + next);
  }

  private static long of(ByteBuffer bytes) {
    long sum = bytes.remaining();
    while (bytes.remaining() >= Long.BYTES) {
      sum = then(sum, bytes.getLong());
    }
    while (bytes.hasRemaining()) {
      sum = then(sum, bytes.get());
    }
    return sum;
  }

  /** A class as its writer had it: the hashes of its name, and of its fields' names. */
  private record Written(long name, List<Long> fields) {}

  /** Something that may be referred to again; until it is complete, how deep it lies. */
  private static final class Seen {
    private final int depth;
    private boolean isComplete;
    private long hash;

    Seen(int depth) {
      this.depth = depth;
    }
  }

  /** The values of one call. */
  private final class Values {
    private final ValueInput in;
    private final List<Written> written = new ArrayList<>();
    private final List<Seen> seen = new ArrayList<>();
    private int depth; // of what can be referred to
    private int nested;

    Values(ValueInput in) {
      this.in = in;
    }

    long next() {
      if (++nested > DEEPEST) {
        throw new SerializationException(
            "damaged: values are nested more than " + DEEPEST + " deep");
      }
      int tag = in.readByte();
      long hash = tag == Tag.IN_LOG_AT ? then(Tag.IN_LOG, inLog(tag)) : then(tag, rest(tag));
      nested--;
      return hash;
    }

    /** The same whether the value is there, or where it is. */
    private long inLog(int tag) {
      long digest = then(in.readLong(), in.readLong());
      long length = tag == Tag.IN_LOG ? in.readCount(1) : in.readVarLong();
      ByteBuffer unused = in.readBuffer(tag == Tag.IN_LOG ? (int) length : in.readCount(1));
      return then(digest, length);
    }

    private long rest(int tag) {
      return switch (tag) {
        case Tag.NULL, Tag.TRUE, Tag.FALSE -> 0;
        case Tag.BYTE -> in.readByte();
        case Tag.CHAR -> in.readVarLong();
        case Tag.SHORT, Tag.INT, Tag.LONG, Tag.FLOAT -> in.readSigned();
        case Tag.DOUBLE -> in.readLong();
        case Tag.STRING, Tag.BIG_INTEGER -> text();
        case Tag.BIG_DECIMAL -> then(in.readSigned(), text());
        case Tag.UUID -> then(in.readLong(), in.readLong());
        case Tag.INSTANT, Tag.DURATION -> then(in.readSigned(), in.readVarLong());
        case Tag.TEXT -> then(in.readByte(), text());
        case Tag.OPTIONAL -> next();
        case Tag.ENUM -> then(shape().name, text());
        case Tag.RECORD -> fields(shape());
        case Tag.SEEN -> again();
        case Tag.IN_LOG -> inLog(tag);
        default -> changeable(tag);
      };
    }

    private long changeable(int tag) {
      Seen it = new Seen(depth++);
      seen.add(it);
      it.hash =
          switch (tag) {
            case Tag.PRIMITIVES -> primitives();
            case Tag.ARRAY -> then(text(), ordered(in.readCount(1)));
            case Tag.CONTAINER -> container(Container.coded(in.readByte()));
            case Tag.OBJECT -> fields(shape());
            default -> throw new SerializationException("damaged: no value has the tag " + tag);
          };
      it.isComplete = true;
      depth--;
      return it.hash;
    }

    private long again() {
      long place = in.readVarLong();
      if (place < 0 || place >= seen.size()) {
        throw new SerializationException("damaged: it refers to what was not before it");
      }
      Seen it = seen.get((int) place);
      return it.isComplete ? it.hash : depth - it.depth;
    }

    private long text() {
      return of(in.readBuffer(in.readCount(1)));
    }

    private long ordered(int count) {
      long sum = count;
      for (int i = 0; i < count; i++) {
        sum = then(sum, next());
      }
      return sum;
    }

    private long container(Container container) {
      int size = in.readCount(1);
      int values = container.isMap() ? 2 * size : size;
      if (container.isOrdered()) {
        return then(container.code(), ordered(values));
      }
      long sum = size;
      for (int i = 0; i < size; i++) {
        sum += mix(container.isMap() ? then(next(), next()) : next());
      }
      return then(container.code(), sum);
    }

    private long primitives() {
      int tag = in.readByte();
      int length = in.readCount(tag == Tag.DOUBLE ? Long.BYTES : 1);
      if (tag == Tag.BYTE || tag == Tag.TRUE) {
        return then(tag, of(in.readBuffer(length)));
      }
      long sum = tag;
      for (int i = 0; i < length; i++) {
        sum =
            then(
                sum,
                switch (tag) {
                  case Tag.DOUBLE -> in.readLong();
                  case Tag.CHAR -> in.readVarLong();
                  default -> in.readSigned();
                });
      }
      return sum;
    }

    private long fields(Written type) {
      long sum = type.name;
      for (long field : type.fields) {
        sum += then(field, next());
      }
      return sum;
    }

    private Written shape() {
      long place = in.readVarLong();
      if (place > 0 && place <= written.size()) {
        return written.get((int) place - 1);
      }
      if (place != 0) {
        throw new SerializationException("damaged: it refers to a class that was not before it");
      }
      long name = text();
      int count = in.readCount(1);
      List<Long> fields = new ArrayList<>(count);
      long all = count;
      for (int i = 0; i < count; i++) {
        fields.add(text());
        all += mix(fields.getLast());
      }
      if (shapes.size() < StateDigest.MOST_SHAPES) {
        shapes.put(name, all);
      }
      written.add(new Written(name, fields));
      return written.getLast();
    }
  }
}
