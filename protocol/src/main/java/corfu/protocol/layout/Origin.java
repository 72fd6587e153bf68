package corfu.protocol.layout;

import corfu.protocol.ClusterId;
import corfu.protocol.StreamId;
import java.util.List;

/**
 * The source of a mirror: another cluster, whose log the mirror copies address by address. While
 * the layout has an origin, only the copier appends. A layout without the origin promotes the
 * mirror.
 *
 * @param source the mirrored cluster
 * @param streams the mirrored streams, in ascending order of their ids; empty for all
 * @param completeFrom the address below which the mirror lacks entries: the source had trimmed them
 *     before they were copied, and later entries may depend on them
 */
public record Origin(ClusterId source, List<StreamId> streams, long completeFrom) {

  public Origin {
    streams = streams.stream().sorted().distinct().toList();
    if (completeFrom < 0) {
      throw new IllegalArgumentException(
          "an address is never negative, but this one is " + completeFrom);
    }
  }

  /** Returns whether entries of this stream are copied. */
  public boolean takes(StreamId stream) {
    return streams.isEmpty() || streams.contains(stream);
  }
}
