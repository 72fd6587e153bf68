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
 * Resolves appends whose epoch ended before they were complete. Each append turns out to be
 * complete, loses its token, or has an unknown outcome.
 *
 * <p>A sealed head accepts no entry of the old epoch any more. So the content of an address's head
 * in the new layout is final. A head that holds nothing settles the question by itself.
 */
final class StaleAppendResolver {

  private final ClientContext context;
  private final ChainRepair chainRepair;
  private final Layout layout;
  private final Deadline deadline;

  /**
   * @param layout a layout of a later epoch than the appends' tokens
   */
  StaleAppendResolver(
      ClientContext context, ChainRepair chainRepair, Layout layout, Deadline deadline) {
    this.context = context;
    this.chainRepair = chainRepair;
    this.layout = layout;
    this.deadline = deadline;
  }

  /**
   * Resolves appends that may have happened. If a head does not answer, only the appends on that
   * head have to wait.
   *
   * @throws RetryableException if a head did not answer; the appends on other heads have been
   *     settled
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

  /** Resolves the appends that no server is known to have accepted. */
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
   * Asks the new heads for appends that the old epoch's head refused. Networks may deliver a
   * request twice, and a refusal concerns only one copy. There may be many such appends, and almost
   * none is held anywhere. So one request per head asks for all of them.
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
   * Decides the address of an append, and checks whose entry won. The old epoch's head has, or may
   * have, accepted the entry; the new head need not hold it. The old head may have left the layout
   * before any client saw the entry.
   */
  private void decide(PendingAppend append) {
    try {
      conclude(append);
    } catch (RetryableException refused) {
      if (!refused.isForbidden()) {
        throw refused;
      }
      concludeUnlessForbidden(append, refused);
    }
  }

  /** A client that may only append cannot see whose entry won. Servers may just need names. */
  private void concludeUnlessForbidden(PendingAppend append, RetryableException first) {
    try {
      if (context.layouts().introduce(first, deadline)) {
        conclude(append);
        return;
      }
    } catch (RetryableException again) {
      if (!again.isForbidden()) {
        throw again;
      }
    }
    append.done.completeExceptionally(
        new AppendOutcomeUnknownException(append.address(), first.getMessage()));
  }

  private void conclude(PendingAppend append) {
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
