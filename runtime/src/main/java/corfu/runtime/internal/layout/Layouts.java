package corfu.runtime.internal.layout;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.runtime.Deadline;
import corfu.runtime.UnavailableException;
import corfu.runtime.internal.rpc.Backoff;
import corfu.runtime.internal.rpc.Futures;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import corfu.transport.WrongClusterException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The newest layout that this client knows, and the ways to a newer one. Thread-safe. */
public final class Layouts {

  private final Servers servers;
  private final List<Endpoint> known;
  private final AtomicReference<Layout> current;
  private final KnownNames names = new KnownNames();

  private Layouts(Servers servers, List<Endpoint> known, Layout first) {
    this.servers = servers;
    this.known = known;
    this.current = new AtomicReference<>(first);
  }

  /**
   * Discovers the layout through the given servers. Asks again until the deadline while one of them
   * does not serve yet: a server that has started reads the permissions from the log first.
   *
   * @throws UnavailableException if none of them answers, or none belongs to a cluster, or none
   *     serves this client by the deadline
   */
  public static Layouts discover(Servers servers, List<Endpoint> known, Deadline deadline) {
    Fetched fetched = fetch(servers, known, deadline);
    Backoff backoff = new Backoff(deadline.world(), deadline);
    while (fetched.newest().isEmpty() && fetched.mayServeSoon()) {
      backoff.pause();
      if (deadline.hasPassed()) {
        break;
      }
      fetched = fetch(servers, known, deadline);
    }
    if (fetched.newest().isEmpty()) {
      throw new UnavailableException(fetched.explain(known));
    }
    Layout first = fetched.newest().get();
    Layouts layouts = new Layouts(servers, known, first);
    layouts.refresh(deadline); // now from the layout servers themselves
    return layouts;
  }

  public Layout current() {
    return current.get();
  }

  /** Adopts the layout if it is newer and belongs to the same cluster. */
  public void adopt(Layout layout) {
    current.accumulateAndGet(layout, Layouts::newer);
  }

  private static Layout newer(Layout ours, Layout theirs) {
    boolean sameCluster = ours.clusterId().equals(theirs.clusterId());
    return sameCluster && ours.epoch().isBefore(theirs.epoch()) ? theirs : ours;
  }

  /**
   * Asks the layout servers whether there is a newer layout. If fewer than a majority answer, asks
   * the servers known from the start, too, because all layout servers may have changed by now.
   */
  public void refresh(Deadline deadline) {
    List<Endpoint> layoutServers = current().layoutServers();
    Fetched fetched = fetch(servers, layoutServers, deadline);
    fetched.newest().ifPresent(this::adopt);
    if (!fetched.hasMajority()) {
      Set<Endpoint> others = new LinkedHashSet<>(known);
      layoutServers.forEach(others::remove);
      if (!others.isEmpty()) {
        fetch(servers, List.copyOf(others), deadline).newest().ifPresent(this::adopt);
      }
    }
  }

  /**
   * Removes the cause of a failed attempt, as far as that is possible at once. The caller pauses
   * and retries.
   *
   * @return the remaining cause, as far as it is known
   */
  public RetryableException mend(RetryableException retryable, Deadline deadline) {
    if (retryable.kind() == RetryableException.Kind.BEHIND) {
      try {
        servers.ask(
            retryable.server(), new LogUnitRequest.Install(current()), Reply.Done.class, deadline);
        if (current().sequencers().contains(retryable.server())) {
          refresh(deadline); // no request installs a layout in a sequencer; it may never be started
        }
        return retryable;
      } catch (RetryableException stillBehind) {
        refresh(deadline);
        return stillBehind;
      }
    }
    switch (retryable.kind()) {
      case OVERLOADED, OVER_QUOTA -> {
        return retryable; // the server serves this layout; more requests would add to its load
      }
      case FORBIDDEN -> {
        var unused = introduce(retryable, deadline);
        return retryable;
      }
      default -> {}
    }
    refresh(deadline); // a silent server may have left the layout
    return retryable;
  }

  /** Returns the names of streams that this client uses. */
  public KnownNames names() {
    return names;
  }

  /**
   * Introduces the names of streams to a server that has refused a request. Its permissions may
   * depend on names that it does not know.
   *
   * @return whether the server knows the names now, so that a retry may succeed
   */
  public boolean introduce(RetryableException refused, Deadline deadline) {
    return names.mayCure(refused.forbiddenStream())
        && names.introduceTo(refused.server(), servers, deadline);
  }

  /**
   * Asks servers for their layouts, each from a thread of its own. A send may wait where too much
   * is in flight to a server, and such a server may be the silent one.
   */
  private static Fetched fetch(Servers servers, List<Endpoint> whom, Deadline deadline) {
    Fetched fetched = new Fetched(whom.size());
    for (Endpoint server : whom) {
      deadline
          .world()
          .start(
              "corfu-fetch",
              () ->
                  fetched.watch(server, servers.send(server, new LayoutRequest.Fetch(), deadline)));
    }
    Futures.await(fetched.enough);
    return fetched;
  }

  /**
   * The servers' replies. They are enough once a majority has answered, or all have answered or
   * failed.
   */
  private static final class Fetched {
    final CompletableFuture<Reply> enough = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final int asked;
    private final List<String> problems = new ArrayList<>();
    private Optional<Layout> newest = Optional.empty();
    private int answered;
    private int ended;
    private boolean fresh;
    private boolean starting;

    Fetched(int asked) {
      this.asked = asked;
    }

    void watch(Endpoint server, CompletableFuture<Reply> reply) {
      var unused =
          reply.whenComplete(
              (answer, failure) -> {
                lock.lock();
                try {
                  count(server, answer, failure);
                } finally {
                  lock.unlock();
                }
              });
    }

    private void count(Endpoint server, @Nullable Reply reply, @Nullable Throwable failure) {
      ended++;
      switch (reply) {
        case LayoutReply.Current(Layout layout) -> {
          answered++;
          Epoch best = newest.map(Layout::epoch).orElse(Epoch.NONE);
          newest = best.isBefore(layout.epoch()) ? Optional.of(layout) : newest;
        }
        case Failure.NotBootstrapped none -> fresh = true;
        case Failure.NotServing(String reason) -> {
          starting = true;
          problems.add(server + ": " + reason);
        }
        case null ->
            problems.add(failure == null ? "no answer" : String.valueOf(failure.getMessage()));
        default -> problems.add(server + " answered " + reply);
      }
      if (failure instanceof WrongClusterException wrong) {
        enough.completeExceptionally(wrong);
      } else if (answered > asked / 2 || ended == asked) {
        enough.complete(Reply.Done.DONE);
      }
    }

    boolean hasMajority() {
      lock.lock();
      try {
        return answered > asked / 2;
      } finally {
        lock.unlock();
      }
    }

    /** Returns whether a server serves nothing now, and may serve later. */
    boolean mayServeSoon() {
      lock.lock();
      try {
        return starting;
      } finally {
        lock.unlock();
      }
    }

    Optional<Layout> newest() {
      lock.lock();
      try {
        return newest;
      } finally {
        lock.unlock();
      }
    }

    /** Explains why no layout was among the replies. */
    String explain(List<Endpoint> whom) {
      return fresh
          ? "the servers at "
              + whom
              + " run, but have not been bootstrapped into a cluster; do that once with "
              + "'corfu layout bootstrap --config FILE'"
          : "no Corfu server with a layout answers at "
              + whom
              + ": "
              + String.join("; ", problems)
              + "; check that the cluster runs and that these are its addresses";
    }
  }
}
