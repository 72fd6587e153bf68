package corfu.sim.history;

import corfu.objects.DivergenceListener;
import corfu.protocol.Address;
import corfu.sim.application.HistoryClock;
import corfu.sim.history.CallObserver.Need;
import corfu.sim.isolation.ObservedTransaction;
import corfu.sim.isolation.ObservedTransaction.Fate;
import corfu.sim.isolation.ObservedTransaction.Promise;
import corfu.sim.linearizability.Linearizability.Event;
import corfu.sim.world.Simulator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The calls of all clients on objects, and their results. */
public final class ObjectCalls implements HistoryClock {

  private final Simulator simulator;
  private final boolean isUpToDate;
  private final List<TransactionAttempt> attempts = new ArrayList<>();
  private final Map<Long, Alone> alone = new LinkedHashMap<>(); // by invocation
  private final Map<Cut, Seen> seen = new HashMap<>();
  private final List<Long> addresses = new ArrayList<>();
  private final Map<String, Integer> counts = new TreeMap<>();
  private Optional<CallObserver> observer = Optional.empty();
  private long moments;
  private long values;

  /** An object's state at an address. */
  public record Cut(String object, long address) {

    /** The address that stands for the final state. */
    public static final long END = Long.MAX_VALUE;
  }

  private record Alone(String register, Event event) {}

  private record Seen(String state, String by) {}

  /**
   * @param isUpToDate whether all clients read the current state; without leases a client may read
   *     a list of checkpoints that is older than the forgotten history
   */
  public ObjectCalls(Simulator simulator, boolean isUpToDate) {
    this.simulator = simulator;
    this.isUpToDate = isUpToDate;
  }

  public boolean isUpToDate() {
    return isUpToDate;
  }

  @Override
  public long now() {
    return moments++;
  }

  /** Returns a value that was not used before. */
  public long newValue() {
    return ++values;
  }

  /** Notifies this observer of the beginnings and ends of transactions from now on. */
  public void observedBy(CallObserver watch) {
    observer = Optional.of(watch);
  }

  /** Notes that the thread's transaction, which is about to end, reached too few servers. */
  public void unavailable(String client) {
    observer.ifPresent(watch -> watch.fails(client));
  }

  public TransactionAttempt begin(String client, Promise promise) {
    observer.ifPresent(watch -> watch.begins(client, Need.ALL_SEGMENTS));
    int thread = client.lastIndexOf('.');
    String process = thread < 0 ? client : client.substring(0, thread);
    TransactionAttempt fresh =
        new TransactionAttempt(client + "#" + attempts.size(), process, promise, now());
    attempts.add(fresh);
    simulator.trace.say(client, () -> "begins " + fresh.name());
    return fresh;
  }

  public void end(TransactionAttempt attempt, Fate fate) {
    attempt.end(fate, now());
    observer.ifPresent(watch -> watch.ends(attempt.client()));
    simulator.trace.mark(fate.name().hashCode());
    simulator.trace.mark(attempt.observed().accesses().hashCode());
    simulator.trace.say(attempt.name(), () -> "ends: " + attempt.observed());
  }

  public List<ObservedTransaction> transactions() {
    return attempts.stream().map(TransactionAttempt::observed).toList();
  }

  /** Notes an address that other clients may want to look at, too. */
  public void noteAddress(long address) {
    addresses.add(address);
  }

  /** Returns addresses that a client has read as the log's tail. */
  public List<Long> addresses() {
    return addresses;
  }

  /**
   * Adds a call on one register of one object. A call that changes it is added when it begins, and
   * again when its end is known.
   */
  public void alone(String register, Event event) {
    alone.put(event.invoked(), new Alone(register, event));
  }

  /** Removes the call that was invoked then: it has not happened, and never will. */
  public void notAtAll(long invoked) {
    alone.remove(invoked);
  }

  /** Returns the calls on single registers, by register. */
  public Map<String, List<Event>> alone() {
    Map<String, List<Event>> all = new TreeMap<>();
    alone
        .values()
        .forEach(one -> all.computeIfAbsent(one.register, r -> new ArrayList<>()).add(one.event));
    return all;
  }

  /** Checks that all views of an object at the same address have the same state. */
  public void saw(String client, Cut cut, String state) {
    simulator.trace.mark(state.hashCode());
    simulator.trace.say(client, () -> "sees " + cut + " " + state);
    Seen now = new Seen(state, client);
    Seen before = seen.putIfAbsent(cut, now);
    if (before != null && !before.state.equals(state)) {
      simulator.findings.broken("Replicas", "%s was seen as %s and as %s", cut, before, now);
    }
  }

  /** Reports that a client's state differs from a checkpoint's. */
  public void parted(DivergenceListener.Divergence found) {
    simulator.findings.broken("Replicas", "%s", found.message());
  }

  /** Returns the addresses at which an object was read. */
  public List<Address> seen(String object) {
    return seen.keySet().stream()
        .filter(cut -> cut.object().equals(object))
        .map(cut -> new Address(cut.address()))
        .sorted()
        .toList();
  }

  @Override
  public void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  /** Returns the counts of all events. */
  public Map<String, Integer> counts() {
    return counts;
  }
}
