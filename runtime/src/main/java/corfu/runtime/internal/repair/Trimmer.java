package corfu.runtime.internal.repair;

import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.runtime.Deadline;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import corfu.runtime.internal.rpc.Settlement;
import corfu.runtime.internal.session.RetryLoop;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Trims addresses on all their replicas. A repeated trim does no harm, so failed trims are retried.
 */
public final class Trimmer {

  private final Servers servers;
  private final RetryLoop retryLoop;
  private final Settlement settlement;

  public Trimmer(Servers servers, RetryLoop retryLoop, Settlement settlement) {
    this.servers = servers;
    this.retryLoop = retryLoop;
    this.settlement = settlement;
  }

  /**
   * Trims one address on one replica after the other, in the order of a write. So a trimmed replica
   * never stands before one that holds the entry.
   */
  public void trim(long address) {
    retryLoop.untilDone(
        "trim address " + address,
        (layout, deadline) -> {
          if (layout.isBefore(address)) {
            return Reply.Done.DONE;
          }
          trim(
              AddressSet.of(address),
              layout.segmentOf(address).holdersOf(address),
              layout,
              deadline);
          return Reply.Done.DONE;
        });
  }

  /**
   * Trims addresses on one replica after the other. A replica behind the head refuses a client
   * without {@code operate} if it does not hold an entry. A server then completes the trim.
   */
  private void trim(
      AddressSet addresses, List<Endpoint> holders, Layout layout, Deadline deadline) {
    var request = new LogUnitRequest.Trim(layout.epoch(), addresses);
    for (Endpoint replica : holders) {
      try {
        servers.ask(replica, request, Reply.Done.class, deadline);
      } catch (RetryableException refused) {
        if (!refused.isForbidden() || replica.equals(holders.getFirst())) {
          throw refused;
        }
        settlement.settle(addresses, layout, deadline);
        return;
      }
    }
  }

  /**
   * Trims addresses, those of one chain together; each chain as one address is trimmed.
   *
   * @param most the most addresses in one request
   */
  public void trim(long[] addresses, int most) {
    for (int from = 0; from < addresses.length; from += most) {
      long[] some = Arrays.copyOfRange(addresses, from, Math.min(addresses.length, from + most));
      retryLoop.untilDone(
          "trim " + some.length + " addresses from " + some[0] + " on",
          (layout, deadline) -> trimSome(some, layout, deadline));
    }
  }

  private Reply.Done trimSome(long[] addresses, Layout layout, Deadline deadline) {
    Map<List<Endpoint>, LongStream.Builder> byHolders = new LinkedHashMap<>();
    for (long address : addresses) {
      if (!layout.isBefore(address)) {
        byHolders
            .computeIfAbsent(
                layout.segmentOf(address).holdersOf(address), holders -> LongStream.builder())
            .add(address);
      }
    }
    byHolders.forEach(
        (holders, some) ->
            trim(new AddressSet.Listed(some.build().toArray()), holders, layout, deadline));
    return Reply.Done.DONE;
  }

  public void prefixTrim(long before) {
    retryLoop.untilDone(
        "trim below address " + before,
        (layout, deadline) ->
            askAll(layout, new LogUnitRequest.PrefixTrim(layout.epoch(), before), deadline));
  }

  /** Sends the request to every log unit. */
  public Reply.Done askAll(Layout layout, Request request, Deadline deadline) {
    Map<Endpoint, Request> requests = new LinkedHashMap<>();
    layout.logUnits().forEach(unit -> requests.put(unit, request));
    servers
        .askAll(requests, deadline)
        .forEach((unit, answered) -> Servers.await(unit, answered, Reply.Done.class));
    return Reply.Done.DONE;
  }
}
