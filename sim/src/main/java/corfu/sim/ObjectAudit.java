package corfu.sim;

import corfu.objects.HistoryTrimmedException;
import corfu.objects.ReplicatedObjects;
import corfu.objects.TransactionOptions;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import corfu.sim.isolation.Observed.Access;
import corfu.sim.isolation.Observed.Fate;
import corfu.sim.isolation.Observed.Promise;
import java.util.List;
import java.util.Map;

/**
 * Looks at objects when nobody changes them any more: they are the same whether they are played
 * from the beginning or from a checkpoint, and at each address what they were when somebody looked
 * there before.
 */
final class ObjectAudit {

  /** The address of a cut when all is over. */
  private static final long END = Long.MAX_VALUE;

  private static final int LOOKED_AT_AGAIN = 8;

  private final ObjectWork work;

  ObjectAudit(ObjectWork work) {
    this.work = work;
  }

  void audit(Seat seat) {
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
    look(Auditor.NAME, fresh, work.history());
    Address end = corfu.log().tail();
    for (int i = 0; i < work.habits().stores(); i++) {
      String object = ObjectViews.store(i);
      lookWithoutCheckpoints(fresh.objects, i);
      lookAt(fresh.objects, i, end, END);
      List<Address> looked = work.history().seen(object);
      for (Address at :
          looked.subList(Math.max(0, looked.size() - LOOKED_AT_AGAIN), looked.size())) {
        if (at.value() < END) {
          lookAt(fresh.objects, i, at, at.value());
        }
      }
      var unused = fresh.objects.checkpoint(fresh.stores.get(i));
    }
    look(Auditor.NAME + ", from checkpoints", views(corfu), work.history());
  }

  private ObjectViews views(Corfu corfu) {
    return new ObjectViews(corfu, work.habits(), () -> {}, work.history()::parted);
  }

  /** What every view sees in the end. */
  static void look(String who, ObjectViews views, ObjectHistory history) {
    views.look((object, state) -> history.saw(who, new ObjectHistory.Cut(object, END), state));
  }

  /** All keys, which tells in which order everything happened. */
  private void readAll(ObjectViews views) {
    Attempt last = work.history().begin(Auditor.NAME, Promise.LAST);
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
      saw("from the start", object, END, replayed.all());
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
        .saw(Auditor.NAME + ", " + how, new ObjectHistory.Cut(object, address), state.toString());
  }
}
