package corfu.roles.layout;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Endpoint;
import corfu.protocol.message.LayoutReply.Complaint;
import corfu.protocol.message.LayoutReply.Reports;
import corfu.protocol.message.LayoutRequest.Report;
import corfu.protocol.message.RequestOrigin;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How a layout server evaluates clients' reports. */
final class ClientReportsTest {

  private static final Endpoint A = new Endpoint("a", 1);
  private static final Endpoint B = new Endpoint("b", 2);
  private static final Endpoint C = new Endpoint("c", 3);
  private static final Endpoint STRANGER = new Endpoint("x", 9);
  private static final Set<Endpoint> MEMBERS = new LinkedHashSet<>(List.of(A, B, C));
  private static final Report CALM = new Report(List.of(), List.of(A, B, C));
  private static final Report WITHOUT_A = new Report(List.of(A), List.of(B, C));

  private final ClientReports reports = new ClientReports(0);
  private long nowNanos;

  private void says(String client, Report report) {
    reports.take(new RequestOrigin(client), report, MEMBERS, nowNanos);
  }

  private void pass(long millis) {
    nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Makes these clients known for long enough that their complaints count. */
  private void settled(String... clients) {
    for (String client : clients) {
      says(client, CALM);
    }
    pass(1_200);
  }

  private Reports summary() {
    return reports.summary(MEMBERS, nowNanos);
  }

  @Test
  void eachClientCountsOnceHoweverOftenItReports() {
    settled("one", "two", "three");
    says("one", WITHOUT_A);
    says("one", WITHOUT_A);
    says("two", WITHOUT_A);
    says("three", CALM);

    assertThat(summary()).isEqualTo(new Reports(3, 3, List.of(new Complaint(A, 2))));
  }

  @Test
  void aLaterReportReplacesTheFormerOne() {
    settled("one");
    says("one", WITHOUT_A);
    says("one", CALM);

    assertThat(summary()).isEqualTo(new Reports(1, 1, List.of()));
  }

  @Test
  void aClientThatReportsNoMoreIsNotActiveAndLaterNotKnown() {
    settled("one");
    says("one", WITHOUT_A);
    pass(2_201);
    assertThat(summary()).isEqualTo(new Reports(0, 1, List.of()));

    pass(7_800);
    assertThat(summary()).isEqualTo(Reports.NONE);
  }

  @Test
  void aClientThatHasJustAppearedCountsAgainstOthersButIsNotBelieved() {
    settled("one");
    says("one", WITHOUT_A);
    says("fresh", WITHOUT_A);

    assertThat(summary()).isEqualTo(new Reports(2, 2, List.of(new Complaint(A, 1))));

    pass(1_200);
    says("one", WITHOUT_A);
    assertThat(summary()).isEqualTo(new Reports(2, 2, List.of(new Complaint(A, 2))));
  }

  @Test
  void aClientThatMissesMoreServersThanItReachesHasABrokenNetworkItself() {
    settled("one", "two");
    says("one", new Report(List.of(A, B), List.of(C)));
    says("two", new Report(List.of(A), List.of()));

    assertThat(summary()).isEqualTo(new Reports(0, 2, List.of()));
  }

  @Test
  void serversThatTheLayoutDoesNotNameDoNotCount() {
    settled("one", "two");
    says("one", new Report(List.of(STRANGER), List.of(A)));
    says("two", new Report(List.of(A), List.of(STRANGER)));

    assertThat(summary()).isEqualTo(new Reports(1, 2, List.of()));
  }

  @Test
  void aServerThatIsSaidToBeReachedIsReached() {
    settled("one");
    says("one", new Report(List.of(A), List.of(A, B)));

    assertThat(summary()).isEqualTo(new Reports(1, 1, List.of()));
  }

  @Test
  void reportsOfNobodyCountForNothing() {
    reports.take(RequestOrigin.UNKNOWN, WITHOUT_A, MEMBERS, nowNanos);

    assertThat(summary()).isEqualTo(Reports.NONE);
  }

  @Test
  void aFloodOfClientsDoesNotDriveOutThoseThatAreKnown() {
    settled("one");
    says("one", WITHOUT_A);
    for (int i = 0; i < ClientReports.MAX_CLIENTS; i++) {
      says("flood" + i, CALM);
    }

    assertThat(summary())
        .isEqualTo(
            new Reports(
                ClientReports.MAX_CLIENTS,
                ClientReports.MAX_CLIENTS,
                List.of(new Complaint(A, 1))));
  }
}
