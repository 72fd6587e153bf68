package corfu.runtime.internal.append;

import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.AddressState;
import corfu.protocol.message.LogUnitRequest;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.Deadline;
import corfu.runtime.internal.repair.ChainRepair;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import corfu.runtime.internal.session.ClientContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What has become of appends whose epoch ended before they were complete: each is found complete,
 * or has lost its token, or could not be told about.
 *
 * <p>A head that has been sealed takes nothing of the old epoch any more. So whatever the new
 * layout's head of an address holds is all that there will ever be of it, and a head that holds
 * nothing settles the matter by itself.
 */
final class StaleAppendResolver {

  private final ClientContext context;
  private final ChainRepair chainRepair;
  private final Layout layout;
  private final Deadline deadline;

  /**
   * @param layout of an epoch after that of the appends' tokens
   */
  StaleAppendResolver(
      ClientContext context, ChainRepair chainRepair, Layout layout, Deadline deadline) {
    this.context = context;
    this.chainRepair = chainRepair;
    this.layout = layout;
    this.deadline = deadline;
  }

  /**
   * Those that may have happened. Where a head does not answer, all of its appends have to wait,
   * and no others.
   *
   * @throws RetryableException if a head did not answer; the appends of others have been settled
   */
  void settle(Collection<PendingAppend> doubtful) {
    Map<Endpoint, RetryableException> silent = new LinkedHashMap<>();
    for (PendingAppend append : doubtful) {
      long address = append.entry().address();
      boolean isSilent =
          !layout.isBefore(address)
              && !layout.chainOf(address).isLost()
              && silent.containsKey(layout.chainOf(address).head());
      if (!isSilent) {
        try {
          decide(append);
        } catch (RetryableException retryable) {
          if (retryable.kind() != RetryableException.Kind.SERVER) {
            throw retryable;
          }
          silent.putIfAbsent(retryable.server(), retryable);
        }
      }
    }
    Optional<RetryableException> first = silent.values().stream().findFirst();
    if (first.isPresent()) {
      throw first.get();
    }
  }

  /** Those of the appends that no server says to have taken. */
  void settleWithoutEffect(List<PendingAppend> appends) {
    List<PendingAppend> turnedDown = new ArrayList<>(0);
    for (PendingAppend append : appends) {
      if (append.wasTurnedDown()) {
        turnedDown.add(append);
      } else if (!append.mayHappen()) {
        append.dropToken();
      }
    }
    int most = context.options().limits().maxAddressesPerRequest();
    for (int from = 0; from < turnedDown.size(); from += most) {
      look(turnedDown.subList(from, Math.min(from + most, turnedDown.size())));
    }
  }

  /**
   * The old epoch's head refused them. Yet networks may deliver a request twice, and a refusal
   * tells only of one copy. There may be many of them, and next to none that anybody holds, so the
   * heads are asked for all at once.
   */
  private void look(List<PendingAppend> some) {
    Map<Endpoint, List<PendingAppend>> byHead = new LinkedHashMap<>();
    for (PendingAppend append : some) {
      long address = append.entry().address();
      if (layout.isBefore(address) || layout.chainOf(address).isLost()) {
        decide(append);
      } else {
        Endpoint head = layout.chainOf(address).head();
        byHead.computeIfAbsent(head, server -> new ArrayList<>()).add(append);
      }
    }
    Map<Endpoint, LogUnitRequest> questions = new LinkedHashMap<>();
    byHead.forEach((head, group) -> questions.put(head, inspection(group)));
    var answers = context.servers().askAll(questions, deadline);
    answers.forEach(
        (head, answer) ->
            conclude(
                byHead.getOrDefault(head, List.of()),
                Servers.await(head, answer, LogUnitReply.States.class).states()));
  }

  private void conclude(List<PendingAppend> group, List<AddressState> states) {
    for (int i = 0; i < group.size(); i++) {
      if (states.get(i) == AddressState.UNWRITTEN) {
        group.get(i).dropToken();
      } else {
        decide(group.get(i));
      }
    }
  }

  private LogUnitRequest.Inspect inspection(List<PendingAppend> group) {
    long[] addresses = group.stream().mapToLong(append -> append.entry().address()).toArray();
    return new LogUnitRequest.Inspect(layout.epoch(), new AddressSet.Listed(addresses));
  }

  /**
   * The old epoch's head has, or may have, taken the entry, but the new one's need not: that head
   * may have left the layout with nobody having seen the entry. Decide the address now, and see
   * whose it is.
   */
  private void decide(PendingAppend append) {
    switch (chainRepair.decide(append.entry().address(), layout, deadline)) {
      case ChainRepair.Decision.Holds(Entry winner) when winner.isSameAppend(append.id) ->
          append.done.complete(append.address());
      case ChainRepair.Decision.Holds other -> append.dropToken();
      case ChainRepair.Decision.Gone gone ->
          append.done.completeExceptionally(
              new AppendOutcomeUnknownException(
                  append.address(), "the address has been trimmed since"));
    }
  }
}
