package corfu.example;

import corfu.node.EmbeddedCluster;
import corfu.objects.ReplicatedObjects;
import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.protocol.Address;
import corfu.runtime.Corfu;

public class HelloObjects {

  static class Account {
    private long balance;

    @Mutator // returns when it is durable
    public void deposit(long amount) {
      balance += amount;
    }

    @MutatorAccessor // waits for what comes of it
    public long withdraw(long amount) {
      if (amount > balance) {
        throw new IllegalStateException("there is only " + balance);
      }
      balance -= amount;
      return balance;
    }

    @Accessor // sees all that was complete when it was called
    public long balance() {
      return balance;
    }
  }

  public static void main(String[] arguments) {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().nodes(3).replicas(2).start();
        Corfu client = cluster.connect()) {
      ReplicatedObjects objects = ReplicatedObjects.over(client);
      Account alice = objects.open("alice", Account.class); // a name; nothing to create
      Account bob = objects.open("bob", Account.class);
      alice.deposit(100);
      Address before = client.log().tail();

      objects.transact( // both, or none; tried again if others were first
          () -> {
            long left = alice.withdraw(30);
            bob.deposit(30);
            System.out.println("alice would have " + left);
          });
      System.out.println(alice.balance() + " and " + bob.balance());

      try {
        bob.withdraw(31);
      } catch (IllegalStateException tooMuch) {
        System.out.println(tooMuch.getMessage()); // and bob is as he was, everywhere
      }

      Account then = objects.at(before).open("alice", Account.class);
      System.out.println("alice had " + then.balance());
    }
  }
}
