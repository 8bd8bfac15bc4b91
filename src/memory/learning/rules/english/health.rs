//! Readers of health: what somebody has that lasts, and what they take for it.

use super::phrase::{Clause, Reading};
use super::words;
use crate::memory::rules::table::among;

/// Lasting illnesses, as one has them.
const CONDITIONS: &str = "asthma diabetes adhd autism epilepsy copd hypertension high_blood_pressure ibs crohn_'s crohns \
    crohn_'s_disease crohns_disease ulcerative_colitis arthritis rheumatoid_arthritis osteoarthritis celiac_disease coeliac_disease \
    depression bipolar bipolar_disorder ptsd ocd migraines eczema psoriasis hypothyroidism hyperthyroidism lupus \
    multiple_sclerosis parkinson_'s parkinsons parkinson_'s_disease hiv cancer breast_cancer lung_cancer prostate_cancer \
    skin_cancer leukemia leukaemia lymphoma heart_disease kidney_disease sleep_apnea sleep_apnoea endometriosis pcos \
    fibromyalgia osteoporosis gout glaucoma anemia anaemia hemophilia haemophilia sickle_cell dyslexia narcolepsy scoliosis";
/// What one is who has such an illness, or is pregnant.
const AILING: &str =
    "diabetic asthmatic epileptic autistic dyslexic anemic anaemic bipolar hypertensive pregnant";
/// What is taken for such illnesses, for long.
const MEDICINES: &str = "metformin insulin ozempic lisinopril amlodipine losartan metoprolol atorvastatin simvastatin statins \
    levothyroxine warfarin eliquis xarelto sertraline zoloft fluoxetine prozac escitalopram lexapro citalopram venlafaxine \
    bupropion wellbutrin lithium lamotrigine quetiapine adderall ritalin concerta vyvanse methotrexate prednisone prednisolone \
    omeprazole gabapentin humira tamoxifen antidepressants ssris";

impl Clause<'_> {
    /// What somebody suffers from: "asthma", "type 1 diabetes", "ADHD and epilepsy".
    pub(super) fn conditions(&self, at: usize) -> Option<Reading> {
        let mut values = Vec::new();
        let mut next = at;
        while let Some((start, end)) = self.listed(next, CONDITIONS) {
            values.extend(self.span(start, end));
            let and = end + usize::from(self.word(end) == ",");
            next = and + usize::from(self.word(and) == "and");
            if next == end || self.listed(next, CONDITIONS).is_none() {
                next = end;
                break;
            }
        }
        self.healths(values, next)
    }

    /// What somebody is: "diabetic", "a type 2 diabetic", "6 weeks pregnant".
    pub(super) fn ailing(&self, at: usize) -> Option<Reading> {
        let since = among(words::UNITS, self.word(at + 1)) && self.word(at + 2) == "pregnant";
        let (start, end) = self.listed(if since { at + 2 } else { at }, AILING)?;
        let is_with = self.word(end) == "with" && among("my our twins triplets", self.word(end + 1));
        let end_of = if is_with { end + 1 } else { end };
        self.healths(vec![self.span(start, end)?], end_of).map(|reading| Reading { next: end, ..reading })
    }

    /// What somebody takes for long.
    pub(super) fn medicine(&self, at: usize) -> Option<Reading> {
        let (start, end) = self.listed(at, MEDICINES)?;
        self.healths(vec![self.span(start, end)?], end)
    }

    /// Where an entry of a table stands, perhaps with its type before it.
    fn listed(&self, at: usize, table: &str) -> Option<(usize, usize)> {
        let at = at + usize::from(among("a an", self.word(at)));
        let first = at + if self.word(at) == "type" { 2 } else { 0 };
        let length = (1..=3).rev().find(|length| among(table, &self.entry(first, first + length)))?;
        Some((at, first + length))
    }

    /// These values, if nothing else is made of them: "asthma attacks", "diabetes in my family".
    fn healths(&self, values: Vec<std::ops::Range<usize>>, next: usize) -> Option<Reading> {
        // "I take statins very seriously", "insulin for granted".
        let is_manner = self.word(next) == "very" || self.entry(next, next + 2) == "for_granted";
        let told = self.over(next, "since too at by as for every twice daily my our twins triplets")
            || self.ends(next);
        let told = told && !is_manner;
        (told && !values.is_empty()).then_some(Reading { values, next, whom: None })
    }
}
