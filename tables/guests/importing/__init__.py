"""Exclusion lists as regulators and courts send them: CSV files with headings and dates of their own."""
