package corfu.objects.host;

import corfu.objects.ViewBrokenException;
import corfu.objects.internal.hosted.HostedObject;
import corfu.objects.internal.hosted.HostedObject.CaughtUp;
import corfu.objects.internal.hosted.HostedTooLargeException;
import corfu.objects.remote.Refusal;
import corfu.objects.remote.ViewAnswer;
import corfu.objects.remote.ViewCall;
import corfu.objects.serial.SerializationException;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Reply;
import corfu.protocol.message.ViewRequest;
import corfu.runtime.Corfu;
import corfu.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hosts views of objects. The host plays the objects with a client of its own, and carries out the
 * calls of clients that have opened the objects remotely. Calls of one object that arrive at the
 * same time share one query for the end of the object's stream.
 *
 * <p>All resources are bounded. One of a few threads carries out a call. The host gives up a call
 * when the caller gives it up. An operation that never returns occupies its thread, and an object
 * has no more than a few threads. The host removes the least recently used objects to make room for
 * others. Thread-safe.
 */
public final class ViewHost implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ViewHost.class);

  /** The time between two checks of the calls that wait. */
  private static final Duration SWEEP = Duration.ofMillis(10);

  /** So many calls of one object are carried out before others have their turn. */
  private static final int MOST_IN_A_ROW = 512;

  /** The host stops waiting a little before its callers do, so that they hear of it. */
  private static final int MARGIN_PERCENT = 10;

  private final World world;
  private final HostClient client;
  private final HostOptions options;
  private final HostedCapacity capacity;
  private final Outbox outbox;

  private final ReentrantLock lock = new ReentrantLock();
  private final HostThreads hands;
  private final StuckCallMonitor monitor;
  private final LinkedHashMap<CallQueue.Key, CallQueue> queues = new LinkedHashMap<>();
  private final Set<QueuedCall> outstanding = new LinkedHashSet<>();
  private boolean isSwept;
  private boolean isClosed;

  /**
   * The numbers of objects, bytes, threads and calls that a host has, and of stuck calls so far.
   */
  public record Standing(int objects, long bytes, int threads, int calls, long stuck) {}

  /**
   * @param loop where replies are given: the server's
   * @param connect makes a client of the cluster; called when the first call comes, and again where
   *     it fails
   */
  public ViewHost(World world, Executor loop, Supplier<Corfu> connect, HostOptions options) {
    this.world = world;
    this.outbox = new Outbox(world, loop);
    this.client = new HostClient(connect, options);
    this.options = options;
    this.capacity = new HostedCapacity(options.bytesMax(), options.objectsMax());
    this.hands = new HostThreads(world, lock, options.threads(), this::work);
    this.monitor = new StuckCallMonitor(hands, options);
  }

  /** Takes a call; does not block. */
  public void handle(ViewRequest request, Consumer<Reply> reply) {
    switch (request) {
      case ViewRequest.Call call -> handle(call, reply);
    }
  }

  private void handle(ViewRequest.Call request, Consumer<Reply> reply) {
    ViewCall call;
    try {
      call = ViewCall.decode(request.call());
    } catch (SerializationException | IllegalArgumentException malformed) {
      reply.accept(
          new Failure.Refused(
              Failure.Cause.MALFORMED, "the call is malformed: " + malformed.getMessage()));
      return;
    }
    long patience = TimeUnit.MILLISECONDS.toNanos(request.patienceMillis());
    long deadline = world.nanoTime() + patience - patience * MARGIN_PERCENT / 100;
    var key = new CallQueue.Key(request.stream(), call.type());
    QueuedCall waiting =
        new QueuedCall(key, call, deadline, answer -> outbox.hold(() -> reply.accept(answer)));
    Optional<String> objection = take(waiting);
    objection.ifPresent(why -> reply.accept(new Failure.Overloaded(why)));
  }

  /** Why a call can't wait; empty: it does. */
  private Optional<String> take(QueuedCall waiting) {
    lock.lock();
    try {
      if (isClosed) {
        return Optional.of("the host is being closed");
      }
      if (outstanding.size() >= options.callsMax()) {
        return Optional.of("%d calls wait already".formatted(outstanding.size()));
      }
      CallQueue queue = queues.computeIfAbsent(waiting.key(), CallQueue::new);
      Optional<String> stuck = queue.stuck(options.threadsPerObject());
      if (stuck.isPresent()) {
        waiting.answer(new ViewAnswer.Refused(Refusal.STUCK, stuck.get()));
        outbox.send();
        return Optional.empty();
      }
      outstanding.add(waiting);
      queue.add(waiting, world.nanoTime());
      if (queue.workers().isEmpty()) {
        hands.schedule(queue);
      }
      sweepLater();
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  // ----------------------------------------------------------------------------------- threads

  private void work() {
    for (Optional<CallQueue> queue = hands.next(); queue.isPresent(); queue = hands.next()) {
      try {
        serve(queue.get());
      } catch (RuntimeException | Error failure) {
        LOG.error("a call on a view of {} failed in the host", queue.get().key, failure);
      }
    }
  }

  private void serve(CallQueue queue) {
    Optional<CallQueue.Work> work = Optional.empty();
    try {
      for (int served = 0; ; served++) {
        Optional<CallQueue.Ready> ready;
        List<QueuedCall> calls = List.of();
        lock.lock();
        try {
          work.ifPresent(before -> isDone(queue, before));
          work = Optional.empty();
          if (served >= MOST_IN_A_ROW && hands.isAnyScheduled()) {
            hands.schedule(queue); // behind those that wait
            return;
          }
          ready = queue.pollReady();
          if (ready.isEmpty()) {
            calls = queue.takeWaiting();
            if (calls.isEmpty()) {
              return;
            }
          }
          work = Optional.of(takeUp(queue, ready));
        } finally {
          lock.unlock();
        }
        if (ready.isPresent()) {
          outbox.sendBefore(work.get());
          work.get().answered = carryOut(queue, ready.get());
        } else {
          outbox.send();
          makeReady(queue, calls);
        }
      }
    } finally {
      if (work.isPresent()) {
        lock.lock();
        try {
          isDone(queue, work.get());
        } finally {
          lock.unlock();
        }
      }
      outbox.send();
    }
  }

  /** Under the lock, as is the next. */
  private CallQueue.Work takeUp(CallQueue queue, Optional<CallQueue.Ready> ready) {
    long now = world.nanoTime();
    hands.takesUp(now);
    return queue.takeUp(ready, now);
  }

  private void isDone(CallQueue queue, CallQueue.Work work) {
    queue.isDone(work, world.nanoTime());
    if (work.isLeftAlone) {
      hands.isBack();
    }
    work.answered.ifPresent(outstanding::remove);
    if (work.isReported) {
      LOG.info("{} of object {} has returned after all", work.what, queue.key.stream());
    }
  }

  // ------------------------------------------------------------------------------------- calls

  /** Empty: it has not been answered. */
  private Optional<QueuedCall> carryOut(CallQueue queue, CallQueue.Ready ready) {
    QueuedCall waiting = ready.waiting();
    HostedObject<?> object = queue.object();
    if (object == null || waiting.isAnswered()) {
      return Optional.empty();
    }
    Optional<ViewAnswer> answer =
        ready.caughtUp().isPresent()
            ? Optional.of(object.answer(ready.caughtUp().get(), waiting.call()))
            : object.answerAtHand(waiting.call());
    answer.ifPresentOrElse(waiting::answer, () -> waitAgain(queue, waiting));
    return answer.map(given -> waiting);
  }

  /** The state that it is about is not there any more. */
  private void waitAgain(CallQueue queue, QueuedCall waiting) {
    waiting.isNotAtHand();
    lock.lock();
    try {
      queue.add(waiting, world.nanoTime());
    } finally {
      lock.unlock();
    }
  }

  private void finish(QueuedCall waiting, ViewAnswer answer) {
    waiting.answer(answer);
    lock.lock();
    try {
      outstanding.remove(waiting);
    } finally {
      lock.unlock();
    }
  }

  /** Catches up for all of them, as far as that is needed. */
  private void makeReady(CallQueue queue, List<QueuedCall> taken) {
    List<QueuedCall> calls = taken;
    try {
      HostedObject<?> object = queue.object();
      if (object == null) {
        object = hands.waiting(() -> client.open(queue.key));
        makeRoom(queue, object);
      }
      calls = withoutThoseAtHand(queue, object, taken);
      if (calls.isEmpty()) {
        return;
      }
      CaughtUp caughtUp = catchUp(object, calls);
      long bytes = object.bytes();
      boolean hasGrown;
      lock.lock();
      try {
        hasGrown = bytes > queue.bytes();
        queue.weighs(bytes);
        queue.areReady(calls, Optional.of(caughtUp));
      } finally {
        lock.unlock();
      }
      if (hasGrown) {
        makeRoom(queue, object);
      }
    } catch (HostTypes.UnknownTypeException unknown) {
      forget(queue);
      refuse(calls, Refusal.UNKNOWN_TYPE, String.valueOf(unknown.getMessage()));
    } catch (HostedTooLargeException large) {
      forget(queue);
      refuse(calls, Refusal.OBJECT_TOO_LARGE, String.valueOf(large.getMessage()));
    } catch (ViewBrokenException broken) {
      forget(queue);
      refuse(calls, Refusal.NOT_NOW, String.valueOf(broken.getMessage()));
    } catch (RuntimeException failure) {
      ViewAnswer answer = HostedObject.failed(failure);
      calls.forEach(call -> finish(call, answer));
    } catch (Error error) {
      forget(queue);
      refuse(calls, Refusal.NOT_NOW, "the host failed at playing it: " + error);
      throw error;
    }
  }

  private CaughtUp catchUp(HostedObject<?> object, List<QueuedCall> waiting) {
    List<ViewCall> calls = waiting.stream().map(QueuedCall::call).toList();
    return hands.waiting(() -> object.catchUp(calls));
  }

  private List<QueuedCall> withoutThoseAtHand(
      CallQueue queue, HostedObject<?> object, List<QueuedCall> calls) {
    Map<Boolean, List<QueuedCall>> parts =
        calls.stream()
            .collect(
                Collectors.partitioningBy(
                    each -> each.mayBeAtHand() && object.isAtHand(each.call())));
    lock.lock();
    try {
      queue.areReady(parts.getOrDefault(true, List.of()), Optional.empty());
    } finally {
      lock.unlock();
    }
    return parts.getOrDefault(false, List.of());
  }

  private void refuse(List<QueuedCall> calls, Refusal refusal, String why) {
    ViewAnswer answer = new ViewAnswer.Refused(refusal, why);
    calls.forEach(call -> finish(call, answer));
  }

  // -------------------------------------------------------------------------------------- room

  /** Lets go of what was used least lately, if there is too much. */
  private void makeRoom(CallQueue queue, HostedObject<?> object) {
    List<CallQueue> leaving;
    lock.lock();
    try {
      queue.opened(object);
      leaving = capacity.leaving(queues.values(), queue);
      leaving.forEach(each -> queues.remove(each.key));
    } finally {
      lock.unlock();
    }
    for (CallQueue each : leaving) {
      HostedObject<?> left = each.object();
      if (left != null) {
        left.leave();
      }
    }
  }

  /** Removes a queue whose object is of no use any more, and refuses the calls that wait in it. */
  private void forget(CallQueue queue) {
    List<QueuedCall> late;
    lock.lock();
    try {
      queues.remove(queue.key, queue);
      late = new ArrayList<>(queue.takeWaiting());
    } finally {
      lock.unlock();
    }
    late.forEach(
        call ->
            finish(
                call,
                new ViewAnswer.Refused(Refusal.NOT_NOW, "the host has just let go of the object")));
  }

  // -------------------------------------------------------------------------------------- sweeps

  /** Under the lock. */
  private void sweepLater() {
    if (!isSwept && !isClosed) {
      isSwept = true;
      var unused = world.after(SWEEP.toNanos(), this::sweep);
    }
  }

  /** Sees to what waits for what does not return. */
  private void sweep() {
    Map<QueuedCall, Refusal> late = new LinkedHashMap<>();
    lock.lock();
    try {
      isSwept = false;
      long now = world.nanoTime();
      queues.values().forEach(queue -> monitor.check(queue, now));
      hands.callIfNeeded();
      for (QueuedCall waiting : outstanding) {
        if (waiting.isAnswered() || waiting.isOver(now)) {
          @Nullable CallQueue queue = queues.get(waiting.key());
          boolean getsOn = queue != null && monitor.getsOn(queue, now);
          late.put(waiting, getsOn ? Refusal.PLAYING : Refusal.NOT_NOW);
        }
      }
      late.keySet().forEach(outstanding::remove);
      if (!outstanding.isEmpty() || queues.values().stream().anyMatch(queue -> !queue.isIdle())) {
        sweepLater();
      }
    } finally {
      lock.unlock();
    }
    late.forEach(
        (waiting, why) ->
            waiting.answer(
                new ViewAnswer.Refused(
                    why,
                    "the host did not get to the end of %s in time%s"
                        .formatted(
                            waiting.call().operation(),
                            why == Refusal.PLAYING ? ": it is still playing the object" : ""))));
    outbox.send(); // also what is behind a call that takes its time
  }

  // ----------------------------------------------------------------------------------------- end

  /** Returns the numbers of objects, bytes, threads and calls that the host has now. */
  public Standing standing() {
    lock.lock();
    try {
      return new Standing(
          queues.size(),
          HostedCapacity.bytesOf(queues.values()),
          hands.count(),
          outstanding.size(),
          monitor.stuckEver());
    } finally {
      lock.unlock();
    }
  }

  /** Takes no more calls; those that wait are told, and threads end as soon as they can. */
  @Override
  public void close() {
    end().forEach(waiting -> waiting.overloaded("the host is being closed"));
    outbox.send();
    client.close();
  }

  /** The process has died: nobody is told anything. */
  public void abandon() {
    var unused = end();
  }

  private List<QueuedCall> end() {
    List<QueuedCall> left;
    lock.lock();
    try {
      isClosed = true;
      left = new ArrayList<>(outstanding);
      outstanding.clear();
      hands.close();
    } finally {
      lock.unlock();
    }
    return left;
  }
}
