package corfu.objects.internal.value;

import corfu.objects.internal.client.RestoringUpdate;
import corfu.objects.record.Catalogued;
import corfu.objects.record.CheckpointEnd;
import corfu.objects.record.CheckpointMark;
import corfu.objects.record.CheckpointPart;
import corfu.objects.record.ObjectRecord;
import corfu.objects.record.Updates;
import corfu.objects.serial.ContentDigest;
import corfu.objects.serial.LocatedValue;
import corfu.objects.serial.SerializationException;
import corfu.objects.serial.ValueInput;
import corfu.objects.serial.ValueOutput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A value of an object that stays in the log, at a place that is known. Immutable. */
public abstract sealed class LogValue<V> extends LocatedValue<V> {

  private static final byte IN_UPDATE = 1;
  private static final byte RESTORED = 2;
  private static final byte IN_CHECKPOINT = 3;

  private static final long[] NO_MORE = {};

  private final Source source;
  final long address; // of the entry in which it begins
  final int offset;

  private LogValue(Source source, ContentDigest content, long address, int offset) {
    super(content);
    this.source = source;
    this.address = address;
    this.offset = offset;
  }

  @Override
  protected final Source source() {
    return source;
  }

  /** The entries that it is in, in their order. */
  abstract long[] addresses();

  /** Its bytes, once these entries have been read. */
  abstract ByteBuffer bytesIn(List<ObjectRecord> records);

  /**
   * States that begin at a checkpoint of a higher address than this do not have it: they have
   * another place for the same value.
   */
  long anchor() {
    return address;
  }

  final IllegalStateException notHere(ObjectRecord there) {
    String what =
        switch (there) {
          case Updates updates -> "updates: " + updates.updates();
          case CheckpointPart part -> part.toString();
          case CheckpointEnd end -> "the end of a checkpoint";
          case CheckpointMark mark -> "the mark of a checkpoint";
          case Catalogued named -> "an entry of the catalogue";
        };
    return new IllegalStateException(
        "a value of %d bytes should be in the entry at address %d, but there is something else"
                .formatted(length(), address)
            + " (%s); read the object again".formatted(what));
  }

  /** A place as another client wrote it. */
  static LogValue<Object> pointed(Source source, ContentDigest content, ValueInput place) {
    int kind = place.readByte();
    long address = place.readPositive();
    int offset = readInt(place);
    return switch (kind) {
      case IN_UPDATE -> new InUpdate<>(source, content, address, readInt(place), offset);
      case RESTORED -> new Restored<>(source, content, address, readInt(place), offset);
      case IN_CHECKPOINT -> {
        long before = place.readPositive();
        long[] more = new long[place.readCount(1)];
        for (int i = 0; i < more.length; i++) {
          more[i] = place.readPositive();
        }
        yield new InCheckpoint<>(source, content, before, address, more, offset);
      }
      default -> throw new SerializationException("damaged: no place is of kind " + kind);
    };
  }

  private static int readInt(ValueInput place) {
    long number = place.readPositive();
    if (number > Integer.MAX_VALUE) {
      throw new SerializationException("damaged: a place at " + number);
    }
    return (int) number;
  }

  final void begin(int kind, ValueOutput out) {
    out.writeByte(kind);
    out.writeVarLong(address);
    out.writeVarLong(offset);
  }

  /** In the arguments of an update; others may be in the same entry. */
  public static final class InUpdate<V> extends LogValue<V> {
    private final int update;

    InUpdate(Source source, ContentDigest content, long address, int update, int offset) {
      super(source, content, address, offset);
      this.update = update;
    }

    @Override
    long[] addresses() {
      return new long[] {address};
    }

    @Override
    ByteBuffer bytesIn(List<ObjectRecord> records) {
      if (records.getFirst() instanceof Updates updates
          && update < updates.updates().size()
          && updates.updates().get(update).arguments().remaining() - length() >= offset) {
        return updates.updates().get(update).arguments().slice(offset, length());
      }
      throw notHere(records.getFirst());
    }

    @Override
    protected void writePlace(ValueOutput out) {
      begin(IN_UPDATE, out);
      out.writeVarLong(update);
    }
  }

  /** In a state that an update brings back; see {@link RestoringUpdate}. */
  public static final class Restored<V> extends LogValue<V> {
    private final int update;

    Restored(Source source, ContentDigest content, long address, int update, int offset) {
      super(source, content, address, offset);
      this.update = update;
    }

    @Override
    long[] addresses() {
      return new long[] {address};
    }

    @Override
    ByteBuffer bytesIn(List<ObjectRecord> records) {
      if (records.getFirst() instanceof Updates updates && update < updates.updates().size()) {
        ByteBuffer state =
            RestoringUpdate.bytesOf(
                source()
                    .serializer()
                    .read(new ValueInput(updates.updates().get(update).arguments())));
        if (state.remaining() - length() >= offset) {
          return state.slice(offset, length());
        }
      }
      throw notHere(records.getFirst());
    }

    @Override
    protected void writePlace(ValueOutput out) {
      begin(RESTORED, out);
      out.writeVarLong(update);
    }
  }

  /** In a part of a checkpoint, or in several that follow each other. */
  public static final class InCheckpoint<V> extends LogValue<V> {
    private final long before;
    private final long[] more;

    /**
     * @param before the checkpoint's log address
     * @param more the addresses of those parts that it goes on in
     */
    public InCheckpoint(
        Source source, ContentDigest content, long before, long address, long[] more, int offset) {
      super(source, content, address, offset);
      this.before = before;
      this.more = more.length == 0 ? NO_MORE : more;
    }

    @Override
    long[] addresses() {
      long[] all = new long[1 + more.length];
      all[0] = address;
      System.arraycopy(more, 0, all, 1, more.length);
      return all;
    }

    @Override
    long anchor() {
      return before;
    }

    @Override
    ByteBuffer bytesIn(List<ObjectRecord> records) {
      List<ByteBuffer> pieces = new ArrayList<>();
      int missing = length();
      int from = offset;
      for (ObjectRecord record : records) {
        if (!(record instanceof CheckpointPart part) || part.bytes().remaining() < from) {
          throw notHere(record);
        }
        int some = Math.min(missing, part.bytes().remaining() - from);
        pieces.add(part.bytes().slice(from, some));
        missing -= some;
        from = 0;
      }
      if (missing > 0) {
        throw notHere(records.getLast());
      }
      if (pieces.size() == 1) {
        return pieces.getFirst();
      }
      ByteBuffer joined = ByteBuffer.allocate(length());
      pieces.forEach(joined::put);
      return joined.flip();
    }

    @Override
    protected void writePlace(ValueOutput out) {
      begin(IN_CHECKPOINT, out);
      out.writeVarLong(before);
      out.writeVarLong(more.length);
      for (long address : more) {
        out.writeVarLong(address);
      }
    }
  }
}
