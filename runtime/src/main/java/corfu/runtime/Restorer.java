package corfu.runtime;

import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Segment;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.AddressState;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes a lost log chain anew from the replicas of streams (DESIGN 3.4, R7). What any of them holds
 * of an address is its entry: they were all sealed when the chain was given up, so that nothing can
 * have come to them since. What none holds becomes a hole. The head of the chain to come decides,
 * should several restore at the same time; what an earlier one has left at a unit to come is found
 * like what streams have. Thread-safe.
 */
final class Restorer {

  private static final int READ_BYTES = 1 << 20;

  private final Servers servers;
  private final Completion completion;
  private final Copier copier;
  private final Layout layout;
  private final Segment segment;

  Restorer(Servers servers, Completion completion, Copier copier, Layout layout, Segment segment) {
    this.servers = servers;
    this.completion = completion;
    this.copier = copier;
    this.layout = layout;
    this.segment = segment;
  }

  /**
   * Brings these addresses to the units to come, and to whatever replicas of their streams miss
   * them.
   *
   * @param addresses of one chain, which is lost
   */
  void restore(AddressSet.Strided addresses, Deadline deadline) {
    List<Endpoint> chain = segment.joiningAt(addresses.start());
    Map<Endpoint, List<Long>> held = new LinkedHashMap<>();
    List<Long> trimmed = new ArrayList<>();
    List<Long> nowhere = new ArrayList<>();
    Set<Endpoint> sources = new LinkedHashSet<>(chain);
    sources.addAll(segment.serving().streamUnits());
    Map<Endpoint, List<AddressState>> states = new LinkedHashMap<>();
    for (Endpoint source : sources) {
      states.put(source, copier.inspect(source, addresses, deadline));
    }
    for (int i = 0; i < addresses.count(); i++) {
      place(addresses.at(i), i, states, held, trimmed, nowhere);
    }
    if (!trimmed.isEmpty()) {
      completion.trimOn(Copier.listed(trimmed), layout, deadline);
    }
    fill(nowhere, chain.getFirst(), held, deadline);
    held.forEach((source, found) -> spread(found, source, chain, deadline));
  }

  private static void place(
      long address,
      int index,
      Map<Endpoint, List<AddressState>> states,
      Map<Endpoint, List<Long>> held,
      List<Long> trimmed,
      List<Long> nowhere) {
    List<Endpoint> holders = new ArrayList<>();
    for (var told : states.entrySet()) {
      switch (told.getValue().get(index)) {
        case TRIMMED -> {
          trimmed.add(address);
          return;
        }
        case DATA, HOLE -> holders.add(told.getKey());
        case UNWRITTEN -> {}
      }
    }
    if (holders.isEmpty()) {
      nowhere.add(address);
    } else {
      held.computeIfAbsent(holders.getFirst(), fresh -> new ArrayList<>()).add(address);
    }
  }

  /** The head has them then, its own or those of somebody who was faster. */
  private void fill(
      List<Long> nowhere, Endpoint head, Map<Endpoint, List<Long>> held, Deadline deadline) {
    if (nowhere.isEmpty()) {
      return;
    }
    List<Entry> holes = nowhere.stream().map(completion::newHole).toList();
    var request = new LogUnitRequest.Write(layout.epoch(), holes);
    var writes = servers.ask(head, request, LogUnitReply.Writes.class, deadline);
    for (int i = 0; i < holes.size(); i++) {
      switch (writes.outcomes().get(i)) {
        case WriteOutcome.Written won ->
            held.computeIfAbsent(head, fresh -> new ArrayList<>()).add(nowhere.get(i));
        case WriteOutcome.Overwritten lost ->
            held.computeIfAbsent(head, fresh -> new ArrayList<>()).add(nowhere.get(i));
        case WriteOutcome.Trimmed trimmed -> completion.trimOn(nowhere.get(i), layout, deadline);
        case WriteOutcome.NoSpace full ->
            throw SetbackException.server(
                head, false, "the log unit at " + head + " is full, and cannot join");
        case WriteOutcome.Damaged damaged ->
            throw SetbackException.server(
                head, false, "an entry was damaged on its way to " + head);
      }
    }
  }

  private void spread(List<Long> found, Endpoint source, List<Endpoint> chain, Deadline deadline) {
    int done = 0;
    while (done < found.size()) {
      List<Long> rest = found.subList(done, found.size());
      var request = new LogUnitRequest.Read(layout.epoch(), Copier.listed(rest), READ_BYTES);
      var reads = servers.ask(source, request, LogUnitReply.Reads.class, deadline).outcomes();
      List<Entry> entries = new ArrayList<>();
      for (int i = 0; i < reads.size(); i++) {
        long address = rest.get(i);
        ReadOutcome outcome = Completion.verified(reads.get(i), address, source);
        if (outcome instanceof ReadOutcome.Corrupt) {
          outcome = readElsewhere(address, source, outcome, deadline);
        }
        outcome.held().ifPresent(entries::add); // what is trimmed by now all holders are told of
      }
      copier.pass(entries);
      for (Endpoint replica : chain) {
        copier.write(entries, replica, deadline);
      }
      toStreams(entries, deadline);
      done += reads.size();
    }
  }

  private ReadOutcome readElsewhere(
      long address, Endpoint source, ReadOutcome corrupt, Deadline deadline) {
    for (Endpoint other : segment.serving().streamUnits()) {
      if (!other.equals(source)) {
        ReadOutcome outcome = completion.read(address, other, layout, deadline);
        if (outcome.held().isPresent()) {
          return outcome;
        }
      }
    }
    throw SetbackException.server(
        source, false, "cannot restore address " + address + ": " + corrupt);
  }

  /** Those that serve streams, and those that shall. */
  private void toStreams(List<Entry> entries, Deadline deadline) {
    Map<Endpoint, List<Entry>> byReplica = new LinkedHashMap<>();
    for (Entry entry : entries) {
      Set<Endpoint> replicas = new LinkedHashSet<>(segment.path(entry));
      replicas.addAll(segment.joining(entry));
      replicas.removeAll(segment.joiningAt(entry.address()));
      for (Endpoint replica : replicas) {
        byReplica.computeIfAbsent(replica, fresh -> new ArrayList<>()).add(entry);
      }
    }
    byReplica.forEach((replica, its) -> copier.write(its, replica, deadline));
  }
}
