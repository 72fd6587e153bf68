package corfu.proof.fuzz;

import corfu.objects.record.CallId;
import corfu.objects.record.Catalogued;
import corfu.objects.record.CheckpointEnd;
import corfu.objects.record.CheckpointMark;
import corfu.objects.record.CheckpointPart;
import corfu.objects.record.ObjectRecord;
import corfu.objects.record.RecordCodec;
import corfu.objects.record.Update;
import corfu.objects.record.Updates;
import corfu.objects.serial.SerializationException;
import corfu.objects.serial.StateDigest;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The records that objects write to the log. */
final class RecordTarget implements FuzzTarget {

  private static final StreamId STREAM = new StreamId(1, 2);
  private static final CallId CALL = new CallId(77, 5);

  @Override
  public String name() {
    return "record";
  }

  @Override
  public List<byte[]> seeds() {
    ByteBuffer some = ByteBuffer.wrap(new byte[] {1, 2, 3});
    Update one = new Update(STREAM, "put(Object,Object)", 0, some);
    Update other = new Update(new StreamId(3, 4), "clear()", 0, some);
    Optional<StateDigest> digest = Optional.of(new StateDigest(9, Map.of(5L, 6L)));
    return Stream.<ObjectRecord>of(
            new Updates(CALL, 1_700_000_000_000L, List.of(one)),
            new Updates(CALL, 0, List.of(one, other, one)),
            new CheckpointPart(CALL, some),
            new CheckpointEnd(CALL, "ReplicatedMap", 900, 80, 7, 9, 2, 300, 1, "all", digest),
            new CheckpointEnd(CALL, "A", 0, 0, 0, 0, 0, 0, 0, "", Optional.empty()),
            new CheckpointMark(CALL, "ReplicatedMap", 1),
            new Catalogued(CALL, 1, STREAM, "accounts", "map"))
        .map(RecordCodec::encode)
        .map(Bytes::of)
        .toList();
  }

  @Override
  public void run(byte[] input) {
    ObjectRecord record;
    try {
      record = RecordCodec.decode(STREAM, ByteBuffer.wrap(input));
    } catch (SerializationException refused) {
      return;
    }
    if (record instanceof CheckpointEnd end) { // as readers use them
      Bytes.same(new StreamAddress(end.firstPart()).value(), end.firstPart(), "first part");
      Bytes.same(new StreamAddress(end.behindParts()).value(), end.behindParts(), "behind parts");
      Bytes.same(new StreamAddress(end.resume()).value(), end.resume(), "resume");
    }
    if (record instanceof Updates updates && isOfAnother(updates)) {
      return; // no writer adds an entry to a stream that the entry does not change
    }
    ByteBuffer written = RecordCodec.encode(record);
    ObjectRecord again = RecordCodec.decode(STREAM, written);
    Bytes.same(record, again, "decoded again");
    Bytes.same(written, RecordCodec.encode(again), "written again");
  }

  private static boolean isOfAnother(Updates updates) {
    List<StreamId> objects = updates.updates().stream().map(Update::object).distinct().toList();
    return objects.size() == 1 && !objects.getFirst().equals(STREAM);
  }
}
