package corfu.proof.deadline;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.objects.ReplicatedObjects;
import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.annotation.TransactionalMethod;
import corfu.objects.collection.ReplicatedCounter;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.serial.InLog;
import corfu.objects.tango.TangoObject;
import corfu.objects.tango.TangoRuntime;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.Streams;
import corfu.smr.Command;
import corfu.smr.SmrOptions;
import corfu.smr.StateMachine;
import corfu.smr.StateMachineReplica;
import corfu.store.KeyValueStore;
import corfu.store.StoreOptions;
import java.io.DataInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;

/** The objects of one test case at a client, each made at its first use. Not thread-safe. */
final class Stand {

  private final Corfu corfu;
  private final String name;
  private final Queue<Object> made = new ArrayDeque<>();

  /**
   * @param name the name of the case's objects in the cluster
   */
  Stand(Corfu corfu, String name) {
    this.corfu = corfu;
    this.name = name;
  }

  Corfu corfu() {
    return corfu;
  }

  String name() {
    return name;
  }

  @SuppressWarnings("unchecked") // each is an instance of the class
  private <T> T once(Class<T> type, java.util.function.Supplier<T> make) {
    for (Object each : made) {
      if (type.isInstance(each)) {
        return (T) each;
      }
    }
    T fresh = make.get();
    made.add(fresh);
    return fresh;
  }

  Streams streams() {
    return once(Streams.class, () -> Streams.over(corfu));
  }

  /** Returns a stream with two entries. */
  LogStream stream() {
    return once(
        LogStream.class,
        () -> {
          LogStream stream = streams().open(name);
          stream.append("one".getBytes(UTF_8));
          stream.append("two".getBytes(UTF_8));
          return stream;
        });
  }

  ReplicatedObjects objects() {
    return once(ReplicatedObjects.class, () -> ReplicatedObjects.over(corfu));
  }

  /** Returns new objects, which have not played anything yet. */
  ReplicatedObjects fresh() {
    return ReplicatedObjects.over(corfu);
  }

  /** Returns a map that was already changed. */
  @SuppressWarnings("unchecked") // of strings
  ReplicatedMap<String, String> map() {
    return once(
        ReplicatedMap.class,
        () -> {
          ReplicatedMap<String, String> map =
              objects().open(name + " map", ReplicatedMap.of(String.class, String.class));
          map.put("a", "b");
          return map;
        });
  }

  ReplicatedCounter counter() {
    return once(
        ReplicatedCounter.class, () -> objects().open(name + " counter", ReplicatedCounter.type()));
  }

  /** Reads two objects and changes both. */
  String transfer() {
    String before = String.valueOf(map().get("a"));
    counter().add(counter().get() + 1);
    map().put("a", before + "c");
    return before;
  }

  TangoRuntime tango() {
    return once(
        TangoRuntime.class,
        () -> {
          TangoRuntime runtime = TangoRuntime.over(corfu);
          var id = runtime.register(name, new Register());
          runtime.updateHelper(id, ByteBuffer.wrap(new byte[] {1}));
          return runtime;
        });
  }

  /** A register as a Tango object. */
  static final class Register implements TangoObject {
    private byte state;

    @Override
    public void apply(ByteBuffer update, Address address) {
      state = update.get();
    }

    @Override
    public ByteBuffer save() {
      return ByteBuffer.wrap(new byte[] {state});
    }

    @Override
    public void load(ByteBuffer checkpoint) {
      state = checkpoint.get();
    }
  }

  /** A plain class. */
  static class Account {
    private int balance;
    private InLog<String> note = InLog.of("none");

    @Accessor
    public int balance() {
      return balance;
    }

    @Accessor
    public String note() {
      return note.get();
    }

    @Mutator
    public void deposit(int amount) {
      balance += amount;
    }

    /** Reads a value that stays in the log, where the call is carried out. */
    @MutatorAccessor
    public String describe(InLog<String> text) {
      String before = note.get();
      note = text;
      return before + text.get();
    }

    @TransactionalMethod
    public void pass(int amount) {
      deposit(balance() + amount);
    }
  }

  /** Returns a replica that has carried out a command. */
  @SuppressWarnings("unchecked") // of this state machine
  StateMachineReplica<Sum> replica() {
    return once(
        StateMachineReplica.class,
        () -> {
          StateMachineReplica<Sum> replica =
              StateMachineReplica.open(corfu, name, Sum::new, SmrOptions.DEFAULT);
          replica.submit(new byte[] {1});
          return replica;
        });
  }

  /** A state machine. */
  static final class Sum implements StateMachine {
    private int sum;

    @Override
    public byte[] apply(Command command) {
      sum += command.body().get();
      return new byte[] {(byte) sum};
    }

    @Override
    public Saved save() {
      int saved = sum;
      return out -> out.writeInt(saved);
    }

    @Override
    public void load(DataInput in) throws IOException {
      sum = in.readInt();
    }
  }

  /** Returns a store with one key; its values have their own entries. */
  KeyValueStore store() {
    return once(
        KeyValueStore.class,
        () -> {
          KeyValueStore store =
              KeyValueStore.open(
                  corfu, name, StoreOptions.DEFAULT.withInlineBytes(0).withCacheBytes(0));
          store.put("a", "b".getBytes(UTF_8));
          return store;
        });
  }

  /** Returns the newest address of the log. */
  Address newest() {
    return new Address(Math.max(0, corfu.log().tail().value() - 1));
  }
}
