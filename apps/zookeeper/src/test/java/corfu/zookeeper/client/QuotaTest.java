package corfu.zookeeper.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.zookeeper.subject.Subject;
import corfu.zookeeper.subject.SubjectOptions;
import corfu.zookeeper.subject.Subjects;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.QuotaExceededException;
import org.apache.zookeeper.StatsTrack;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.cli.DelQuotaCommand;
import org.apache.zookeeper.cli.SetQuotaCommand;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Quotas are enforced: always by translation servers, by ZooKeeper if it is told to. */
class QuotaTest {

  private static final SubjectOptions ENFORCED =
      SubjectOptions.DEFAULT.withProperty("zookeeper.enforceQuota", "true");

  private static void create(ZooKeeper client, String path, int bytes) throws Exception {
    client.create(path, new byte[bytes], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void nodesAndBytesAreLimitedUntilTheQuotaIsRemoved(Subjects subjects) throws Exception {
    SubjectOptions options = subjects == Subjects.REAL ? ENFORCED : SubjectOptions.DEFAULT;
    try (Subject subject = subjects.start(options);
        var stock = new StockClient(subject)) {
      ZooKeeper client = stock.zooKeeper();
      create(client, "/q", 0);
      StatsTrack limits = new StatsTrack();
      limits.setCountHardLimit(3);
      limits.setByteHardLimit(100);
      assertThat(SetQuotaCommand.createQuota(client, "/q", limits)).isTrue();

      create(client, "/q/a", 60);
      assertThatThrownBy(() -> create(client, "/q/b", 60))
          .isInstanceOf(QuotaExceededException.class);
      assertThatThrownBy(() -> client.setData("/q/a", new byte[101], -1))
          .isInstanceOf(QuotaExceededException.class);
      create(client, "/q/b", 40);
      assertThatThrownBy(() -> create(client, "/q/c", 0))
          .isInstanceOf(QuotaExceededException.class);

      assertThat(DelQuotaCommand.delQuota(client, "/q", limits)).isTrue();
      create(client, "/q/c", 200);
    }
  }
}
