package corfu.sim.history;

import corfu.objects.DivergenceListener;
import corfu.protocol.Address;
import corfu.sim.application.Moments;
import corfu.sim.history.CallObserver.Need;
import corfu.sim.isolation.Observed;
import corfu.sim.isolation.Observed.Fate;
import corfu.sim.isolation.Observed.Promise;
import corfu.sim.linearizability.Linearizability.Event;
import corfu.sim.world.Simulator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What all clients did to objects, and what they were told. */
public final class ObjectHistory implements Moments {

  private final Simulator simulator;
  private final boolean isUpToDate;
  private final List<Attempt> attempts = new ArrayList<>();
  private final Map<Long, Alone> alone = new LinkedHashMap<>(); // by its invocation
  private final Map<Cut, Seen> seen = new HashMap<>();
  private final List<Long> addresses = new ArrayList<>();
  private final Map<String, Integer> counts = new TreeMap<>();
  private Optional<CallObserver> observer = Optional.empty();
  private long moments;
  private long values;

  /** An object as it was at an address. */
  public record Cut(String object, long address) {

    /** The address of a cut when all is over. */
    public static final long END = Long.MAX_VALUE;
  }

  private record Alone(String register, Event event) {}

  private record Seen(String state, String by) {}

  /**
   * @param isUpToDate whether everybody sees what is now; without leases a client may see a list of
   *     checkpoints that is older than what has been forgotten
   */
  public ObjectHistory(Simulator simulator, boolean isUpToDate) {
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

  /** A value that nobody has used. */
  public long newValue() {
    return ++values;
  }

  /** From now on this is told when transactions begin, and how they end. */
  public void observedBy(CallObserver watch) {
    observer = Optional.of(watch);
  }

  /** The transaction that this client's thread is about to end found too few servers. */
  public void unavailable(String client) {
    observer.ifPresent(watch -> watch.fails(client));
  }

  public Attempt begin(String client, Promise promise) {
    observer.ifPresent(watch -> watch.begins(client, Need.ALL_SEGMENTS));
    int thread = client.lastIndexOf('.');
    String process = thread < 0 ? client : client.substring(0, thread);
    Attempt fresh = new Attempt(client + "#" + attempts.size(), process, promise, now());
    attempts.add(fresh);
    simulator.trace.say(client, () -> "begins " + fresh.name());
    return fresh;
  }

  public void end(Attempt attempt, Fate fate) {
    attempt.end(fate, now());
    observer.ifPresent(watch -> watch.ends(attempt.client()));
    simulator.trace.mark(fate.name().hashCode());
    simulator.trace.mark(attempt.observed().accesses().hashCode());
    simulator.trace.say(attempt.name(), () -> "ends: " + attempt.observed());
  }

  public List<Observed> transactions() {
    return attempts.stream().map(Attempt::observed).toList();
  }

  /** Others may want to look at this address, too. */
  public void noteAddress(long address) {
    addresses.add(address);
  }

  /** Addresses that somebody took for the log's tail. */
  public List<Long> addresses() {
    return addresses;
  }

  /**
   * A call that only touches one register of one object. One that changes it is told of when it
   * begins, and once more when its end is known.
   */
  public void alone(String register, Event event) {
    alone.put(event.invoked(), new Alone(register, event));
  }

  /** The call that was invoked then has not happened, and never will. */
  public void notAtAll(long invoked) {
    alone.remove(invoked);
  }

  /** Those that only touched one register, by register. */
  public Map<String, List<Event>> alone() {
    Map<String, List<Event>> all = new TreeMap<>();
    alone
        .values()
        .forEach(one -> all.computeIfAbsent(one.register, r -> new ArrayList<>()).add(one.event));
    return all;
  }

  /** All that see an object at the same address see the same. */
  public void saw(String client, Cut cut, String state) {
    simulator.trace.mark(state.hashCode());
    simulator.trace.say(client, () -> "sees " + cut + " " + state);
    Seen now = new Seen(state, client);
    Seen before = seen.putIfAbsent(cut, now);
    if (before != null && !before.state.equals(state)) {
      simulator.findings.broken("Replicas", "%s was seen as %s and as %s", cut, before, now);
    }
  }

  /** A client found that its state is another one than that of a checkpoint. */
  public void parted(DivergenceListener.Divergence found) {
    simulator.findings.broken("Replicas", "%s", found.message());
  }

  /** The addresses at which an object was seen. */
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

  /** How much there was of what. */
  public Map<String, Integer> counts() {
    return counts;
  }
}
