package corfu.sim.audit;

import corfu.objects.HistoryTrimmedException;
import corfu.objects.ReplicatedObjects;
import corfu.objects.TransactionOptions;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import corfu.sim.ListStore;
import corfu.sim.application.ApplicationClient;
import corfu.sim.history.CallHistory;
import corfu.sim.history.ObjectCalls;
import corfu.sim.history.TransactionAttempt;
import corfu.sim.isolation.ObservedTransaction.Access;
import corfu.sim.isolation.ObservedTransaction.Fate;
import corfu.sim.isolation.ObservedTransaction.Promise;
import corfu.sim.workload.object.CollectionWorkload;
import corfu.sim.workload.object.ComposedWorkload;
import corfu.sim.workload.object.Marked;
import corfu.sim.workload.object.ObjectViews;
import corfu.sim.workload.object.ObjectWork;
import java.util.List;
import java.util.Map;

/**
 * Audits objects when no client changes them any more. An object must have the same state whether
 * it is played from the beginning or from a checkpoint. At each address it must have the state that
 * earlier readers saw there.
 */
final class ObjectAudit {

  private static final int LOOKED_AT_AGAIN = 8;

  private final ObjectWork work;

  ObjectAudit(ObjectWork work) {
    this.work = work;
  }

  void audit(ApplicationClient seat) {
    if (work.app().isPresent()) {
      work.app().get().play().audit(seat);
    } else {
      audit(seat.corfu());
    }
  }

  private void audit(Corfu corfu) {
    ObjectViews fresh = views(corfu);
    readAll(fresh);
    work.collections().ifPresent(all -> CollectionWorkload.lookAtAll(fresh.objects, all));
    work.composed().ifPresent(all -> ComposedWorkload.lookAtAll(corfu, fresh.objects, all));
    fresh.record(CallHistory.AUDITOR, work.history());
    Address end = corfu.log().tail();
    for (int i = 0; i < work.habits().stores(); i++) {
      String object = ObjectViews.store(i);
      lookWithoutCheckpoints(fresh.objects, i);
      lookAt(fresh.objects, i, end, ObjectCalls.Cut.END);
      List<Address> looked = work.history().seen(object);
      for (Address at :
          looked.subList(Math.max(0, looked.size() - LOOKED_AT_AGAIN), looked.size())) {
        if (at.value() < ObjectCalls.Cut.END) {
          lookAt(fresh.objects, i, at, at.value());
        }
      }
      var unused = fresh.objects.checkpoint(fresh.stores.get(i));
    }
    views(corfu).record(CallHistory.AUDITOR + ", from checkpoints", work.history());
  }

  private ObjectViews views(Corfu corfu) {
    return new ObjectViews(corfu, work.habits(), () -> {}, work.history()::parted);
  }

  /** Reads all keys, which shows the order of all changes. */
  private void readAll(ObjectViews views) {
    TransactionAttempt last = work.history().begin(CallHistory.AUDITOR, Promise.LAST);
    views.objects.transact(
        TransactionOptions.READ_ONLY,
        () -> {
          for (int i = 0; i < work.habits().stores(); i++) {
            Map<Long, List<Long>> lists = views.stores.get(i).all();
            for (long list = 0; list < work.habits().lists(); list++) {
              String key = ObjectViews.store(i) + "/" + list;
              last.add(new Access.SawList(key, lists.getOrDefault(list, List.of())));
            }
          }
          views.registers.forEach(
              (register, value) ->
                  last.add(new Access.Saw(ObjectViews.REGISTERS + "/" + register, value)));
        });
    work.history().end(last, Fate.COMMITTED);
  }

  private void lookWithoutCheckpoints(ReplicatedObjects objects, int store) {
    String object = ObjectViews.store(store);
    try {
      ListStore replayed =
          objects.open(object, new Marked<>(ObjectViews.typeOf(store), "played from the start"));
      saw("from the start", object, ObjectCalls.Cut.END, replayed.all());
    } catch (HistoryTrimmedException forgotten) {
      work.history().count("replay of what is forgotten");
    }
  }

  private void lookAt(ReplicatedObjects objects, int store, Address at, long seenAs) {
    String object = ObjectViews.store(store);
    try {
      ListStore then = objects.at(at).open(object, ObjectViews.typeOf(store));
      saw("at " + at, object, seenAs, then.all());
    } catch (HistoryTrimmedException forgotten) {
      work.history().count("look at the past that is forgotten");
    }
  }

  private void saw(String how, String object, long address, Map<Long, List<Long>> state) {
    work.history()
        .saw(
            CallHistory.AUDITOR + ", " + how,
            new ObjectCalls.Cut(object, address),
            state.toString());
  }
}
