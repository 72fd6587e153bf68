package corfu.objects.record;

import corfu.objects.serial.SerializationException;
import corfu.objects.serial.StateDigest;
import corfu.objects.serial.ValueInput;
import corfu.objects.serial.ValueOutput;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Records as bytes, little-endian. Numbers in angle brackets are of variable length: seven bits a
 * byte, the lowest first.
 *
 * <pre>
 *  0       1         2      3          11         19
 *  +-------+---------+------+----------+----------+--------------- - -
 *  | 0xC0  | version | kind | client   | wall ms  | &lt;call number&gt; ...
 *  +-------+---------+------+----------+----------+--------------- - -
 *
 *  kind 1, updates:  &lt;objects&gt; { stream id, 16 bytes } &lt;updates&gt; { update }
 *                    objects is 0 where all is of the stream that the record is in
 *          update:   &lt;object, counted from 0&gt; &lt;length&gt; operation serializer &lt;length&gt; arguments
 *  kind 2, part:     bytes up to the end
 *  kind 3, end:      &lt;length&gt; state name &lt;before&gt; &lt;resume&gt; &lt;first part&gt; &lt;behind parts&gt; &lt;parts&gt;
 *                    &lt;bytes&gt; &lt;length&gt; history &lt;digests: 0 or 1&gt; { hash &lt;shapes&gt; { class, fields } }, 8 bytes each
 *  kind 4, mark:     &lt;length&gt; state name
 *  kind 5, object:   stream id, 16 bytes; &lt;length&gt; name &lt;length&gt; type
 * </pre>
 */
public final class RecordCodec {

  private static final int UPDATES = 1;
  private static final int PART = 2;
  private static final int END = 3;
  private static final int MARK = 4;
  private static final int OBJECT = 5;
  private static final int LEAST_UPDATE = 4;

  /** From this kind on, records are of Tango's interface; see docs/objects-format.md. */
  public static final int FIRST_OF_TANGO = 16;

  private static final String OF_TANGO =
      "written by corfu.objects.tango.TangoRuntime, whose transactions are decided by those who"
          + " read them: register the object there. The two kinds of transactions can't be mixed"
          + " on one object";

  /** Why what belongs into other streams says nothing of an object. */
  public static final String NOT_AN_OBJECTS =
      "it is of a checkpoint or of the catalogue: is this an object's stream?";

  private RecordCodec() {}

  /** Whether it is no record, of whatever kind or version: something else has written it. */
  public static boolean isForeign(ByteBuffer payload) {
    return !payload.hasRemaining()
        || (payload.get(payload.position()) & 0xff) != RecordHeader.MAGIC;
  }

  /** Why what is not an object's record, but one of Tango's interface, is not for us. */
  public static Optional<String> otherKind(ByteBuffer payload) {
    ByteBuffer bytes = payload.duplicate();
    boolean isTangos =
        bytes.remaining() > 2
            && (bytes.get(bytes.position()) & 0xff) == RecordHeader.MAGIC
            && bytes.get(bytes.position() + 2) >= FIRST_OF_TANGO;
    return isTangos ? Optional.of(OF_TANGO) : Optional.empty();
  }

  public static ByteBuffer encode(ObjectRecord record) {
    ValueOutput out = new ValueOutput();
    switch (record) {
      case Updates updates -> {
        RecordHeader.write(UPDATES, updates.call(), updates.wallTimeMillis(), out);
        writeUpdates(updates.updates(), out);
      }
      case CheckpointPart part -> {
        RecordHeader.write(PART, part.checkpoint(), 0, out);
        out.writeBuffer(part.bytes());
      }
      case CheckpointEnd end -> {
        RecordHeader.write(END, end.checkpoint(), end.wallTimeMillis(), out);
        out.writeString(end.stateName());
        out.writeVarLong(end.before());
        out.writeVarLong(end.resume());
        out.writeVarLong(end.firstPart());
        out.writeVarLong(end.behindParts());
        out.writeVarLong(end.parts());
        out.writeVarLong(end.bytes());
        out.writeString(end.history());
        writeDigest(end.digest(), out);
      }
      case CheckpointMark mark -> {
        RecordHeader.write(MARK, mark.checkpoint(), mark.wallTimeMillis(), out);
        out.writeString(mark.stateName());
      }
      case Catalogued named -> {
        RecordHeader.write(OBJECT, named.call(), named.wallTimeMillis(), out);
        out.writeLong(named.object().high());
        out.writeLong(named.object().low());
        out.writeString(named.name());
        out.writeString(named.type());
      }
    }
    return out.toBuffer();
  }

  private static void writeDigest(Optional<StateDigest> digest, ValueOutput out) {
    out.writeVarLong(digest.isPresent() ? 1 : 0);
    digest.ifPresent(
        it -> {
          out.writeLong(it.hash());
          out.writeVarLong(it.shapes().size());
          it.shapes()
              .forEach(
                  (type, fields) -> {
                    out.writeLong(type);
                    out.writeLong(fields);
                  });
        });
  }

  private static void writeUpdates(List<Update> updates, ValueOutput out) {
    Map<StreamId, Integer> objects = new LinkedHashMap<>();
    updates.forEach(update -> objects.putIfAbsent(update.object(), objects.size()));
    if (objects.size() == 1) {
      out.writeVarLong(0);
    } else {
      out.writeVarLong(objects.size());
      for (StreamId object : objects.keySet()) {
        out.writeLong(object.high());
        out.writeLong(object.low());
      }
    }
    out.writeVarLong(updates.size());
    for (Update update : updates) {
      out.writeVarLong(objects.getOrDefault(update.object(), 0));
      out.writeString(update.operation());
      out.writeByte(update.serializer());
      out.writeVarLong(update.arguments().remaining());
      out.writeBuffer(update.arguments());
    }
  }

  /**
   * Reads a record.
   *
   * @param stream whose entry it is
   * @throws SerializationException if it is none, is damaged, or of a newer version
   */
  public static ObjectRecord decode(StreamId stream, ByteBuffer payload) {
    ValueInput in = new ValueInput(payload);
    int kind = RecordHeader.readKind(in);
    if (kind >= FIRST_OF_TANGO) {
      throw new SerializationException(OF_TANGO);
    }
    long client = in.readLong();
    long wallTimeMillis = in.readLong();
    CallId call = new CallId(client, in.readVarLong());
    return switch (kind) {
      case UPDATES -> new Updates(call, wallTimeMillis, readUpdates(stream, in));
      case PART -> new CheckpointPart(call, in.readBuffer(in.remaining()));
      case END ->
          new CheckpointEnd(
              call,
              in.readString(),
              in.readPositive(),
              in.readPositive(),
              in.readPositive(),
              in.readPositive(),
              in.readPositive(),
              in.readPositive(),
              wallTimeMillis,
              in.readString(),
              readDigest(in));
      case MARK -> new CheckpointMark(call, in.readString(), wallTimeMillis);
      case OBJECT -> {
        StreamId object = new StreamId(in.readLong(), in.readLong());
        yield new Catalogued(call, wallTimeMillis, object, in.readString(), in.readString());
      }
      default -> throw new SerializationException("a record of kind " + kind + " is not known");
    };
  }

  private static Optional<StateDigest> readDigest(ValueInput in) {
    if (in.readVarLong() == 0) {
      return Optional.empty();
    }
    long hash = in.readLong();
    int count = in.readCount(2 * Long.BYTES);
    Map<Long, Long> shapes = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      shapes.put(in.readLong(), in.readLong());
    }
    return Optional.of(new StateDigest(hash, shapes));
  }

  private static List<Update> readUpdates(StreamId stream, ValueInput in) {
    List<StreamId> objects = new ArrayList<>(1);
    int named = in.readCount(2 * Long.BYTES);
    for (int i = 0; i < named; i++) {
      objects.add(new StreamId(in.readLong(), in.readLong()));
    }
    if (named == 0) {
      objects.add(stream);
    }
    int count = in.readCount(LEAST_UPDATE);
    if (count == 0) {
      throw new SerializationException("damaged: a record of updates without any");
    }
    List<Update> updates = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long object = in.readVarLong();
      if (object < 0 || object >= objects.size()) {
        throw new SerializationException("damaged: an update of an object that is not named");
      }
      String operation = in.readString();
      int serializer = in.readByte();
      ByteBuffer arguments = in.readBuffer(in.readCount(1));
      updates.add(new Update(objects.get((int) object), operation, serializer, arguments));
    }
    return updates;
  }
}
