package corfu.runtime.internal.repair;

import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.runtime.Deadline;
import corfu.runtime.internal.rpc.Servers;
import corfu.runtime.internal.session.RetryLoop;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Gives addresses up, on all their replicas. Trimming again what is trimmed does no harm, so
 * whatever fails is repeated.
 */
public final class Trimmer {

  private final Servers servers;
  private final RetryLoop retryLoop;

  public Trimmer(Servers servers, RetryLoop retryLoop) {
    this.servers = servers;
    this.retryLoop = retryLoop;
  }

  /**
   * One replica after the other, as a write goes: so an address is never trimmed in front of a
   * written one.
   */
  public void trim(long address) {
    retryLoop.untilDone(
        "trim address " + address,
        (layout, deadline) -> {
          if (layout.isBefore(address)) {
            return Reply.Done.DONE;
          }
          for (Endpoint replica : layout.segmentOf(address).holdersOf(address)) {
            servers.ask(
                replica,
                new LogUnitRequest.Trim(layout.epoch(), AddressSet.of(address)),
                Reply.Done.class,
                deadline);
          }
          return Reply.Done.DONE;
        });
  }

  public void prefixTrim(long before) {
    retryLoop.untilDone(
        "trim below address " + before,
        (layout, deadline) ->
            askAll(layout, new LogUnitRequest.PrefixTrim(layout.epoch(), before), deadline));
  }

  /** Has every log unit do it. */
  public Reply.Done askAll(Layout layout, Request request, Deadline deadline) {
    Map<Endpoint, Request> requests = new LinkedHashMap<>();
    layout.logUnits().forEach(unit -> requests.put(unit, request));
    servers
        .askAll(requests, deadline)
        .forEach((unit, answered) -> Servers.await(unit, answered, Reply.Done.class));
    return Reply.Done.DONE;
  }
}
