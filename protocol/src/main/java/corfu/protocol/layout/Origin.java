package corfu.protocol.layout;

import corfu.protocol.ClusterId;
import corfu.protocol.StreamId;
import java.util.List;

/**
 * What a cluster mirrors: another one's log, address by address. While a layout says so, nobody
 * appends but who copies from there; the layout that no longer does is what promotes a mirror.
 *
 * @param source the cluster that is mirrored
 * @param streams which of its streams, in ascending order of their ids; empty: everything
 * @param completeFrom below this tail the mirror lacks something: what the source had given up
 *     before it was copied may need what comes behind
 */
public record Origin(ClusterId source, List<StreamId> streams, long completeFrom) {

  public Origin {
    streams = streams.stream().sorted().distinct().toList();
    if (completeFrom < 0) {
      throw new IllegalArgumentException(
          "an address is never negative, but this one is " + completeFrom);
    }
  }

  /** Whether entries of this stream are copied. */
  public boolean takes(StreamId stream) {
    return streams.isEmpty() || streams.contains(stream);
  }
}
