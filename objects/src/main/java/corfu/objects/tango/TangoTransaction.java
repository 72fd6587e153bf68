package corfu.objects.tango;

import corfu.objects.tango.TangoRecord.Read;
import corfu.objects.tango.TangoRecord.Write;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A thread's reads and pending writes since it began a transaction. For one thread. */
final class TangoTransaction {

  private final Map<StreamId, StreamAddress> reads = new LinkedHashMap<>();
  private final List<Write> writes = new ArrayList<>();

  boolean hasRead(StreamId object) {
    return reads.containsKey(object);
  }

  void read(StreamId object, StreamAddress upTo) {
    reads.putIfAbsent(object, upTo);
  }

  void write(StreamId object, ByteBuffer update) {
    ByteBuffer copy = ByteBuffer.allocate(update.remaining());
    copy.put(update.duplicate()).flip();
    writes.add(new Write(object, copy));
  }

  List<Read> reads() {
    return reads.entrySet().stream().map(it -> new Read(it.getKey(), it.getValue())).toList();
  }

  List<Write> writes() {
    return writes;
  }
}
