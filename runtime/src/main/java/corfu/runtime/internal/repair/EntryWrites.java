package corfu.runtime.internal.repair;

import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.runtime.Deadline;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes many entries to log units: one request carries all entries of a server. Stateless. */
public final class EntryWrites {

  private EntryWrites() {}

  /** Receives the outcomes of writes. */
  public interface Receiver {
    void take(Endpoint server, Entry entry, WriteOutcome outcome);
  }

  /**
   * Writes entries to their servers, to all at the same time, and waits for the replies.
   *
   * @param byServer the entries of each server
   * @param servers sends the requests
   * @param layout the layout whose epoch the requests carry
   * @param deadline the end of the wait
   * @param receiver receives the outcomes, those of a server in the order of its entries
   * @throws RetryableException if a server does not write
   */
  public static void writeAll(
      Map<Endpoint, List<Entry>> byServer,
      Servers servers,
      Layout layout,
      Deadline deadline,
      Receiver receiver) {
    Map<Endpoint, LogUnitRequest.Write> writes = new LinkedHashMap<>();
    byServer.forEach(
        (server, group) -> writes.put(server, new LogUnitRequest.Write(layout.epoch(), group)));
    servers
        .askAll(writes, deadline)
        .forEach(
            (server, sent) -> {
              var outcomes = Servers.await(server, sent, LogUnitReply.Writes.class).outcomes();
              List<Entry> group = byServer.getOrDefault(server, List.of());
              for (int i = 0; i < group.size(); i++) {
                receiver.take(server, group.get(i), outcomes.get(i));
              }
            });
  }
}
