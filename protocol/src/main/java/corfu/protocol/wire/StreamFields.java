package corfu.protocol.wire;

import corfu.protocol.Backpointers;
import corfu.protocol.StreamId;
import corfu.protocol.TokenSeal;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.Occurrences;
import corfu.protocol.stream.Occurrences.Occurrence;
import corfu.protocol.stream.StreamPart;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.StreamQuery;
import corfu.protocol.stream.StreamTail;
import corfu.protocol.stream.TokenOutcome;
import corfu.protocol.stream.TokenWish;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The fields of messages about streams.
 *
 * <pre>
 *   stream        u64 high, u64 low
 *   position      u64 stream address, u8 count (0 to 4), then u64 each: backpointers, newest first
 *   tail          stream, position
 *   part          stream, count, then u64 each: hashes of keys; none: all of the stream
 *   wish          count, then part each: writes; u8 0, or u8 1 and a condition: u64 snapshot,
 *                 count, then part each: reads
 *   outcome       u8 0: issued: u64 log address, count, then position each
 *                 u8 1: conflict: stream, u8 0 or u8 1 and u64 key, u64 log address
 *   query         stream, u64 below (log address), u64 below (stream address)
 *   occurrences   u64 trimmed before (stream address), count, then u64 log address and u64 stream
 *                 address each
 *   seal          u64 number of the key, u64 first address, u32 count, 16 bytes: the code
 * </pre>
 */
final class StreamFields {

  static final int STREAM_BYTES = 16;
  static final int POSITION_BYTES = 9;
  static final int TAIL_BYTES = STREAM_BYTES + POSITION_BYTES;
  static final int WISH_BYTES = 5;
  static final int OUTCOME_BYTES = 13;
  static final int QUERY_BYTES = STREAM_BYTES + 16;
  static final int OCCURRENCES_BYTES = 12;
  static final int SEAL_BYTES = 36;
  private static final int PART_BYTES = STREAM_BYTES + 4;
  private static final int OCCURRENCE_BYTES = 16;

  private static final int ISSUED = 0;
  private static final int CONFLICT = 1;

  private StreamFields() {}

  static <T> void putAll(List<T> all, BiConsumer<T, WireWriter> put, WireWriter out) {
    out.putInt(all.size());
    for (T each : all) {
      put.accept(each, out);
    }
  }

  static <T> List<T> getAll(int minimumBytes, Function<WireReader, T> get, WireReader in) {
    int count = in.getCount(minimumBytes);
    List<T> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      all.add(get.apply(in));
    }
    return all;
  }

  static void putStream(StreamId stream, WireWriter out) {
    out.putLong(stream.high());
    out.putLong(stream.low());
  }

  static StreamId getStream(WireReader in) {
    return new StreamId(in.getLong(), in.getLong());
  }

  static void putPosition(StreamPosition position, WireWriter out) {
    out.putLong(position.streamAddress());
    Backpointers previous = position.previous();
    out.putByte(previous.count());
    for (int i = 0; i < previous.count(); i++) {
      out.putLong(previous.at(i));
    }
  }

  static StreamPosition getPosition(WireReader in) {
    long streamAddress = in.getAddress();
    int count = in.getByte();
    if (count > Backpointers.MOST) {
      throw WireReader.malformed("has " + count + " backpointers");
    }
    long[] previous = new long[count];
    for (int i = 0; i < count; i++) {
      previous[i] = in.getAddress();
    }
    return new StreamPosition(streamAddress, Backpointers.of(previous));
  }

  static void putTail(StreamTail tail, WireWriter out) {
    putStream(tail.stream(), out);
    putPosition(tail.end(), out);
  }

  static StreamTail getTail(WireReader in) {
    return new StreamTail(getStream(in), getPosition(in));
  }

  private static void putPart(StreamPart part, WireWriter out) {
    putStream(part.stream(), out);
    putAll(part.keys(), (key, to) -> to.putLong(key), out);
  }

  private static StreamPart getPart(WireReader in) {
    return new StreamPart(getStream(in), getAll(Long.BYTES, WireReader::getLong, in));
  }

  static void putWish(TokenWish wish, WireWriter out) {
    putAll(wish.writes(), StreamFields::putPart, out);
    out.putByte(wish.condition().isPresent() ? 1 : 0);
    wish.condition()
        .ifPresent(
            condition -> {
              out.putLong(condition.snapshot());
              putAll(condition.reads(), StreamFields::putPart, out);
            });
  }

  static TokenWish getWish(WireReader in) {
    List<StreamPart> writes = getAll(PART_BYTES, StreamFields::getPart, in);
    Optional<Condition> condition =
        Fields.getFlag(in)
            ? Optional.of(
                new Condition(in.getAddress(), getAll(PART_BYTES, StreamFields::getPart, in)))
            : Optional.empty();
    return new TokenWish(writes, condition);
  }

  static void putOutcome(TokenOutcome outcome, WireWriter out) {
    switch (outcome) {
      case TokenOutcome.Issued(long address, List<StreamPosition> places) -> {
        out.putByte(ISSUED);
        out.putLong(address);
        putAll(places, StreamFields::putPosition, out);
      }
      case TokenOutcome.Conflict(StreamId stream, OptionalLong key, long address) -> {
        out.putByte(CONFLICT);
        putStream(stream, out);
        out.putByte(key.isPresent() ? 1 : 0);
        key.ifPresent(out::putLong);
        out.putLong(address);
      }
    }
  }

  static TokenOutcome getOutcome(WireReader in) {
    int code = in.getByte();
    return switch (code) {
      case ISSUED ->
          new TokenOutcome.Issued(
              in.getAddress(), getAll(POSITION_BYTES, StreamFields::getPosition, in));
      case CONFLICT ->
          new TokenOutcome.Conflict(
              getStream(in),
              Fields.getFlag(in) ? OptionalLong.of(in.getLong()) : OptionalLong.empty(),
              in.getAddress());
      default -> throw WireReader.malformed("has an unknown token outcome " + code);
    };
  }

  static void putSeal(TokenSeal seal, WireWriter out) {
    out.putLong(seal.keyId());
    out.putLong(seal.first());
    out.putInt(seal.count());
    out.putLong(seal.codeHigh());
    out.putLong(seal.codeLow());
  }

  static TokenSeal getSeal(WireReader in) {
    return new TokenSeal(in.getLong(), in.getAddress(), in.getInt(), in.getLong(), in.getLong());
  }

  static void putQuery(StreamQuery query, WireWriter out) {
    putStream(query.stream(), out);
    out.putLong(query.below());
    out.putLong(query.streamBelow());
  }

  static StreamQuery getQuery(WireReader in) {
    return new StreamQuery(getStream(in), in.getAddress(), in.getAddress());
  }

  static void putOccurrences(Occurrences occurrences, WireWriter out) {
    out.putLong(occurrences.trimmedBefore());
    putAll(occurrences.newestFirst(), StreamFields::putOccurrence, out);
  }

  private static void putOccurrence(Occurrence occurrence, WireWriter out) {
    out.putLong(occurrence.address());
    out.putLong(occurrence.streamAddress());
  }

  static Occurrences getOccurrences(WireReader in) {
    return new Occurrences(
        in.getAddress(), getAll(OCCURRENCE_BYTES, StreamFields::getOccurrence, in));
  }

  private static Occurrence getOccurrence(WireReader in) {
    return new Occurrence(in.getAddress(), in.getAddress());
  }
}
